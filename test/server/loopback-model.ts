import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Server-sent events of Anthropic's wire. */
export function messageOf(calls: Readonly<Record<string, readonly [name: string, json: string]>>, text = ''): string {
  const events: object[] = [{ type: 'message_start', message: { id: 'msg', content: [] } }]
  if (text !== '') {
    events.push({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })
    events.push({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })
    events.push({ type: 'content_block_stop', index: 0 })
  }
  for (const [place, [id, [name, json]]] of Object.entries(calls).entries()) {
    const index = place + 1
    events.push({ type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } })
    events.push({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: json } })
    events.push({ type: 'content_block_stop', index })
  }
  const stop = Object.keys(calls).length > 0 ? 'tool_use' : 'end_turn'
  events.push({ type: 'message_delta', delta: { stop_reason: stop } }, { type: 'message_stop' })
  return events
    .map((event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')
}

/** A model on this machine that answers one request after the other. */
export async function loopbackModel(...replies: readonly string[]) {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(replies[asked.push(body) - 1])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.closeAllConnections(),
    server,
  }
}
