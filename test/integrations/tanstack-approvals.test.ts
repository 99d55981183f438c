import { toolDefinition } from '@tanstack/ai'
import { ChatClient, fetchServerSentEvents } from '@tanstack/ai-client'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { reportPart } from '../../src/integrations/tanstack-ai/evidence.ts'
import { createToolCallStore, type ToolCallStore } from '../../src/store/create-store.ts'
import { withToolCalls } from '../../src/tanstack-ai.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'
import { startLoopback } from '../wire/loopback.ts'
import { chatAt, saidBy, THREAD } from './tanstack-chat.ts'
import { serveChat } from './tanstack-server.ts'
import { args, end, preamble, sse, start } from './tanstack-wire.ts'

const schema = z.object({ to: z.string() })
const sendMail = toolDefinition({ name: 'send_mail', description: 'x', inputSchema: schema, needsApproval: true })

let ran: unknown[]

beforeEach(() => {
  ran = []
})

interface Chat {
  readonly client: ChatClient
  readonly store: ToolCallStore
  /** The answer of the person, by the host's own means. */
  readonly answer: (approved: boolean) => Promise<void>
}

const run = (input: unknown): string => {
  ran.push(input)
  return 'sent'
}

async function chatWith(executor: 'server' | 'host', drawn: boolean): Promise<Chat> {
  const calls = [{ name: 'send_mail', text: '{"to":"ann"}' }]
  const tool = executor === 'server' ? sendMail.server(run) : sendMail.client()
  const server = await serveChat([tool], [{ calls, finishReason: 'tool_calls' }, { finishReason: 'stop' }])
  const store = createToolCallStore({
    clock: createFakeClock(),
    frame: () => () => {},
    tools: { send_mail: { executor, schema } },
  })
  const client = new ChatClient({
    threadId: THREAD,
    connection: withToolCalls(store, (fetchClient) => fetchServerSentEvents(server.url, { fetchClient }), {
      gate: true,
    }),
    // Without its declaration the chat client takes no answer for a tool, whoever runs it.
    tools: [executor === 'host' ? sendMail.client(run) : sendMail.client()],
    onMessagesChange(messages) {
      const parts = messages.flatMap((message) => message.parts)
      // As the block does that is drawn for it.
      if (!drawn) return
      for (const part of parts) {
        const call = part.type === 'tool-call' ? store.call({ callId: part.id, scope: THREAD })?.getState() : undefined
        if (part.type === 'tool-call' && call !== undefined) reportPart(store, THREAD, part, call.turnId)
      }
    },
  })
  const answer = async (approved: boolean): Promise<void> => {
    const part = client
      .getMessages()
      .flatMap(({ parts }) => parts)
      .find((one) => one.type === 'tool-call')
    await client.addToolApprovalResponse({ id: part?.approval?.id ?? '', approved })
  }
  return { client, store, answer }
}

describe.each([true, false])('an approval, its block being drawn: %s', (drawn) => {
  test.each(['server', 'host'] as const)('that is given lets a tool of the %s run once', async (executor) => {
    const { client, store, answer } = await chatWith(executor, drawn)
    await client.sendMessage('Send it.')
    expect(saidBy(store).labels).toEqual(['send_mail — waiting for your approval'])
    expect(ran).toEqual([])
    await answer(true)
    await expect.poll(() => saidBy(store).labels).toEqual(['send_mail — done'])
    await expect.poll(() => client.getStatus()).toBe('ready')
    expect(ran).toEqual([{ to: 'ann' }])
    expect(store.turnIds()).toHaveLength(1)
    expect(store.counts().contradictedLabels).toBe(0)
  })

  test.each(['server', 'host'] as const)('that is refused lets no tool of the %s run', async (executor) => {
    const { client, store, answer } = await chatWith(executor, drawn)
    await client.sendMessage('Send it.')
    await answer(false)
    await expect.poll(() => saidBy(store).labels).toEqual(['send_mail — not run (you declined)'])
    await expect.poll(() => client.getStatus()).toBe('ready')
    expect(saidBy(store).labels).toEqual(['send_mail — not run (you declined)'])
    expect(ran).toEqual([])
    expect(store.counts().contradictedLabels).toBe(0)
  })
})

test('a question that the person turns away is declined', async () => {
  const { client, store } = await chatWith('server', false)
  await client.sendMessage('Send it.')
  client.cancelInterrupts()
  await expect.poll(() => saidBy(store).labels).toEqual(['send_mail — not run (you declined)'])
  expect(ran).toEqual([])
})

describe('a question that nobody has answered', () => {
  const asked = {
    type: 'CUSTOM',
    name: 'approval-requested',
    value: {
      toolCallId: 'c1',
      toolName: 'create_ticket',
      input: {},
      approval: { id: 'a1', needsApproval: true },
    },
  }

  test.each([
    ['server', 'waiting for your approval'],
    // Nothing could release it: its message never ended.
    ['local', 'not run (connection lost)'],
  ] as const)('when the connection goes, %s: %s', async (executor, words) => {
    const loopback = await startLoopback()
    const exchange = loopback.expect({ body: sse(...preamble, start(), args('{}'), end({}), asked) })
    const { client, seen, said, store } = chatAt(exchange.url, { tools: { create_ticket: { executor } } })
    const sent = client.sendMessage('Create a ticket.')
    await seen('CUSTOM')
    expect(said().labels).toEqual(['create_ticket — waiting for your approval'])
    exchange.drop()
    await sent
    expect(said().labels).toEqual([`create_ticket — ${words}`])
    expect(store.balance().preparing).toBe(0)
    await loopback.close()
  })
})
