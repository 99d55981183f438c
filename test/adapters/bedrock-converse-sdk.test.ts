import { crc32 } from 'node:zlib'
import { BedrockRuntimeClient, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime'
import { expect, test } from 'vitest'
import { bedrockConverse } from '../../src/adapters/bedrock-converse.ts'
import { createToolCallStore, pump } from '../../src/core.ts'
import { eventsOf } from './events-of.ts'

const events = [
  ['messageStart', { role: 'assistant' }],
  ['contentBlockStart', { contentBlockIndex: 0, start: { toolUse: { toolUseId: 'tooluse_1', name: 'add_task' } } }],
  ['contentBlockDelta', { contentBlockIndex: 0, delta: { toolUse: { input: '{"title":"Grüße"}' } }, p: 'abcd' }],
  ['contentBlockStop', { contentBlockIndex: 0 }],
] as const
const ending = ['messageStop', { stopReason: 'tool_use' }] as const

test('what the AWS SDK yields reads like a capture of it', async () => {
  const yielded: unknown[] = []
  for await (const event of await streamOf([...events, ending].map(([name, body]) => message('event', name, body)))) {
    yielded.push(event)
  }
  expect(yielded).toHaveLength(5)
  expect(eventsOf(bedrockConverse, yielded)).toEqual([
    { type: 'message-started' },
    { type: 'call-announced', key: 'call-1', callId: 'tooluse_1', name: 'add_task' },
    { type: 'call-fragment', key: 'call-1', text: '{"title":"Grüße"}' },
    { type: 'call-finished', key: 'call-1' },
    { type: 'message-ended', reason: 'natural', rawReason: 'tool_use', finishesOpenCalls: false },
  ])
})

test('its iterable can be pumped', async () => {
  const frames = [...events, ending].map(([name, body]) => message('event', name, body))
  const store = createToolCallStore({ tools: { add_task: { executor: 'local' } } })
  const { dispatchable, ending: how } = await pump(() => streamOf(frames), bedrockConverse, store).ended
  expect(dispatchable).toMatchObject([{ callId: 'tooluse_1', args: { title: 'Grüße' } }])
  expect(how).toEqual({ type: 'complete', speaker: 'model' })
})

// The SDK does not yield such an event but throws it: an error with `$fault`, named after the exception.
test('an exception among its events is the service’s error, not a lost connection', async () => {
  const exception = message('exception', 'throttlingException', { message: 'secret' })
  const frames = [...events.map(([name, body]) => message('event', name, body)), exception]
  const store = createToolCallStore({ tools: { add_task: { executor: 'local' } } })
  const { calls, ending: how } = await pump(() => streamOf(frames), bedrockConverse, store).ended
  expect(how).toEqual({ type: 'lost', how: 'provider-error', speaker: 'model', detail: 'ThrottlingException' })
  expect(calls).toMatchObject([{ outcome: { type: 'failed', cause: 'provider-error' } }])
})

async function streamOf(frames: readonly Buffer[]) {
  const client = new BedrockRuntimeClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    requestHandler: {
      handle: async () => ({
        response: {
          statusCode: 200,
          headers: { 'content-type': 'application/vnd.amazon.eventstream' },
          body: new Blob(frames.map((frame) => new Uint8Array(frame))).stream(),
        },
      }),
    },
  } as never)
  const { stream } = await client.send(new ConverseStreamCommand({ modelId: 'm', messages: [] }))
  if (stream === undefined) throw new Error('There is no stream.')
  return stream
}

/** One frame of AWS's binary event stream: a prelude with its sum, string headers, the body, and the sum of all that. */
function message(type: 'event' | 'exception', name: string, body: object): Buffer {
  const headers = Buffer.concat(
    Object.entries({ ':message-type': type, [`:${type}-type`]: name, ':content-type': 'application/json' }).flatMap(
      ([key, value]) => [
        Buffer.from([key.length]),
        Buffer.from(key),
        Buffer.from([7, value.length >> 8, value.length & 255]),
        Buffer.from(value),
      ],
    ),
  )
  const payload = Buffer.from(JSON.stringify(body))
  const prelude = Buffer.alloc(8)
  prelude.writeUInt32BE(16 + headers.length + payload.length, 0)
  prelude.writeUInt32BE(headers.length, 4)
  const whole = Buffer.concat([prelude, sumOf(prelude), headers, payload])
  return Buffer.concat([whole, sumOf(whole)])
}

function sumOf(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(bytes), 0)
  return sum
}
