import http from 'node:http'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
const f=(o,n)=>`${n?`event: ${n}\n`:''}data: ${typeof o==='string'?o:JSON.stringify(o)}\n\n`
const a=[['message_start',{type:'message_start',message:{id:'msg_1',type:'message',role:'assistant',content:[],model:'m',stop_reason:null,stop_sequence:null,usage:{input_tokens:1,output_tokens:1}}}],
['content_block_start',{type:'content_block_start',index:0,content_block:{type:'tool_use',id:'toolu_1',name:'create_ticket',input:{}}}],
['content_block_delta',{type:'content_block_delta',index:0,delta:{type:'input_json_delta',partial_json:'{"a":1}'}}]].map(([n,o])=>f(o,n))
const c=[{id:'c1',object:'chat.completion.chunk',created:1,model:'m',choices:[{index:0,delta:{role:'assistant',content:'hi'},finish_reason:null}]},
{id:'c1',object:'chat.completion.chunk',created:1,model:'m',choices:[{index:0,delta:{tool_calls:[{index:0,id:'call_1',type:'function',function:{name:'create_ticket',arguments:'{"a"'}}]},finish_reason:null}]}].map(o=>f(o))
const r=[['response.created',{type:'response.created',sequence_number:0,response:{id:'resp_1',object:'response',status:'in_progress',output:[]}}],
['response.output_item.added',{type:'response.output_item.added',sequence_number:1,output_index:0,item:{type:'function_call',id:'fc_1',call_id:'call_1',name:'create_ticket',arguments:'',status:'in_progress'}}],
['response.function_call_arguments.delta',{type:'response.function_call_arguments.delta',sequence_number:2,item_id:'fc_1',output_index:0,delta:'{"a"'}]].map(([n,o])=>f(o,n))
const errs={anthropic:f({type:'error',error:{type:'overloaded_error',message:'x'}},'error'),chat:f({error:{message:'x',type:'server_error',code:'server_overloaded'}}),responses:f({type:'error',code:'server_error',message:'x',param:null,sequence_number:3},'error')}
const mode={}
const server=http.createServer((q,s)=>{let b='';q.on('data',d=>b+=d);q.on('end',async()=>{
 const m=JSON.parse(b).model; const wire=q.url.includes('messages')?'anthropic':q.url.includes('chat')?'chat':'responses'
 const frames={anthropic:a,chat:c,responses:r}[wire]
 q.socket.on('close',()=>console.log('   [server socket closed]'))
 if(m==='status'){s.writeHead(529,{'content-type':'application/json'});return s.end(JSON.stringify({type:'error',error:{type:'overloaded_error',message:'x',code:'overloaded'}}))}
 if(m==='json'){s.writeHead(200,{'content-type':'application/json'});return s.end(JSON.stringify({type:'error',error:{type:'overloaded_error',message:'x',code:'overloaded'}}))}
 if(m==='empty'){s.writeHead(200,{'content-type':'text/event-stream'});s.flushHeaders();return s.socket.destroy()}
 if(m==='nothing')return s.socket.destroy()
 s.writeHead(200,{'content-type':'text/event-stream'})
 const send=m==='burst-drop'||m==='burst-error'?[frames.join('')]:frames
 for(const x of send){s.write(x);await new Promise(r=>setTimeout(r,20))}
 if(m==='drop')return s.destroy()
 if(m==='burst-drop')return s.destroy()
 if(m==='error'||m==='burst-error'){s.write(errs[wire]);return s.end()}
 if(m==='badjson'){s.write('data: {"x\n\n');return s.end()}
 if(m==='eof')return s.end()
 })})
await new Promise(r=>server.listen(0,'127.0.0.1',r))
const base=`http://127.0.0.1:${server.address().port}`
const an=new Anthropic({apiKey:'x',baseURL:base,maxRetries:0,logLevel:'off'})
const oa=new OpenAI({apiKey:'x',baseURL:base,maxRetries:0,logLevel:'off'})
process.on('unhandledRejection',e=>console.log('   UNHANDLED',e?.name,e?.constructor?.name))
const opens={
 'anthropic create':m=>an.messages.create({model:m,max_tokens:9,messages:[{role:'user',content:'x'}],stream:true}),
 'anthropic stream':m=>an.messages.stream({model:m,max_tokens:9,messages:[{role:'user',content:'x'}]}),
 'chat create':m=>oa.chat.completions.create({model:m,messages:[{role:'user',content:'x'}],stream:true}),
 'chat stream':m=>oa.chat.completions.stream({model:m,messages:[{role:'user',content:'x'}]}),
 'responses create':m=>oa.responses.create({model:m,input:'x',stream:true}),
 'responses stream':m=>oa.responses.stream({model:m,input:'x'}),
}
const only=process.argv.slice(2)
for(const [name,open] of Object.entries(opens)) for(const m of ['drop','burst-drop','eof','error','burst-error','badjson','status','json','empty','nothing','abort-mid','abort-slow']){
 if(only.length&&!only.includes(m))continue
 console.log(`## ${name} / ${m}`)
 let s
 try{ s=await open(m==='abort-mid'||m==='abort-slow'?'stall':m); let n=0

  const it=s[Symbol.asyncIterator]()
  if(m.startsWith('burst')||m==='abort-slow')await new Promise(r=>setTimeout(r,100))
  for(;;){const {done,value}=await it.next(); if(done){console.log('   clean end after',n,'errored',s.errored,'aborted',s.aborted,'ctrl',s.controller?.signal.aborted);break}
   n++; if(n===2&&m.startsWith('abort'))s.controller.abort(); if(n===1) console.log('   first:',JSON.stringify(value).slice(0,90))}
 }catch(e){console.log('   THREW',e.constructor.name,'name',e.name,'status',e.status,'error',JSON.stringify(e.error),'type',e.type,'code',e.code,'cause',e.cause?.constructor?.name,e.cause?.name,e.cause?.code,'ctrl',s?.controller?.signal.aborted,'errored',s?.errored,'aborted',s?.aborted)}
 await new Promise(r=>setTimeout(r,30))
}
server.close();server.closeAllConnections();setTimeout(()=>process.exit(),200)
