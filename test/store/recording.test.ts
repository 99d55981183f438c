import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Recorder, SettledCall } from '../../src/core/recorder.ts'
import { createToolCallStore } from '../../src/store/create-store.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

function recorded(more: Partial<Recorder> = {}) {
  const clock = createFakeClock()
  const told: [string, string, string?][] = []
  const settled: SettledCall[] = []
  const record: Recorder = {
    announced: ({ key }) => void told.push(['announced', key]),
    settled(call) {
      told.push(['settled', call.key, call.settled.cause])
      settled.push(call)
    },
    revised: (call) => void told.push(['revised', call.key, call.settled.cause]),
    contradicted: ({ key }) => void told.push(['contradicted', key]),
    ...more,
  }
  const store = createToolCallStore({
    clock,
    frame: () => () => {},
    record,
    tools: {
      create_ticket: { executor: 'local', sensitive: ['token'], schema: z.object({ priority: z.enum(['low']) }) },
      export_report: { executor: 'server' },
    },
  })
  return { store, clock, told, settled }
}

describe('a store with a recorder', () => {
  test('tells of every call once it is announced and once it is settled, while its text is still there', () => {
    const { store, clock, told, settled } = recorded()
    const stream = store.openStream({ turnId: 't', scope: 'chat', requestId: 'req_1' })
    stream.push({ type: 'message-started', messageId: 'm' })
    stream.push({ type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' })
    clock.advance(40)
    for (const text of ['{"priority":', '"P1"}']) stream.push({ type: 'call-fragment', key: 'a', text })
    stream.push({ type: 'call-finished', key: 'a' })
    clock.advance(2)
    stream.push({ type: 'message-ended', reason: 'natural', rawReason: 'tool_use', finishesOpenCalls: false })
    stream.end({ type: 'complete', speaker: 'model' })
    store.flush()
    expect(told).toEqual([
      ['announced', 'a'],
      ['settled', 'a', 'invalid-arguments'],
    ])
    expect(settled[0]).toMatchObject({
      turnId: 't',
      scope: 'chat',
      messageId: 'm',
      callId: 'c1',
      name: 'create_ticket',
      known: true,
      sensitive: ['token'],
      executor: 'local',
      outcome: { type: 'schema-error', detail: 'enum' },
      attempt: 1,
      fragments: 2,
      raw: '{"priority":"P1"}',
      end: { reason: 'natural', rawReason: 'tool_use' },
      requestId: 'req_1',
      gaps: { max: 40 },
    })
    const { announcedAt = 0, settledAt = 0 } = settled[0] ?? {}
    expect(settledAt - announcedAt).toBe(42)
  })

  test('tells of what is known better later as a revision, and of a withdrawn "not run"', () => {
    const { store, told } = recorded()
    const stream = store.openStream({ turnId: 't' })
    stream.push({ type: 'call-announced', key: 'a', callId: 'c1', name: 'export_report' })
    stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
    store.settle({ callId: 'c1', name: null, ran: 'yes', ok: true })
    const second = store.openStream({ turnId: 'u' })
    second.push({ type: 'call-announced', key: 'b', callId: 'c2', name: 'export_report' })
    second.end({ type: 'complete', speaker: 'executor' })
    store.settle({ callId: 'c2', name: null, ran: 'yes', ok: true })
    expect(told).toEqual([
      ['announced', 'a'],
      ['settled', 'a', 'connection-lost'],
      ['revised', 'a', 'ok'],
      ['announced', 'b'],
      ['settled', 'b', 'ended-early'],
      ['contradicted', 'b'],
      ['revised', 'b', 'late'],
    ])
  })

  test('tells of a report that becomes a block of its own', () => {
    const { store, told } = recorded()
    const stream = store.openStream({ turnId: 't' })
    stream.push({ type: 'outcome-reported', report: { callId: 'c9', name: 'export_report', ran: 'no' } })
    stream.end({ type: 'complete', speaker: 'model' })
    expect(told.map(([what]) => what)).toEqual(['announced', 'settled'])
  })

  test('does not let its mistakes disturb anything', () => {
    const seen = vi.spyOn(console, 'error').mockImplementation(() => {})
    const oops = (): never => {
      throw new Error('the log is full')
    }
    const { store } = recorded({ announced: oops, settled: oops, revised: oops, contradicted: oops })
    const stream = store.openStream({ turnId: 't' })
    stream.push({ type: 'call-announced', key: 'a', callId: 'c1', name: 'export_report' })
    stream.end({ type: 'complete', speaker: 'executor' })
    store.settle({ callId: 'c1', name: null, ran: 'yes', ok: true })
    store.flush()
    expect(store.call({ callId: 'c1' })?.getState()).toMatchObject({ settled: { ran: 'yes', cause: 'late' } })
    expect(seen).toHaveBeenCalledTimes(4)
  })
})
