import { describe, expect, test } from 'vitest'
import type { Ending } from '../../src/core/events.ts'
import { openLedger } from './ledger-under-test.ts'

const EXECUTOR_DONE: Ending = { type: 'complete', speaker: 'executor' }

describe('ids are data', () => {
  test('a result for several open calls of one id is held and counted, not guessed', () => {
    const { push, standings, dropped } = openLedger()
    push(
      { type: 'call-announced', key: 'a', callId: 'c1', name: 'export_report' },
      { type: 'call-announced', key: 'b', callId: 'c1', name: 'export_report' },
      { type: 'call-returned', callId: 'c1', ok: true },
    )
    expect(standings()).toEqual({ a: 'preparing', b: 'preparing' })
    expect(dropped).toEqual(['ambiguous-id'])
  })

  test('what was held for several calls is not given to the next one of that id', () => {
    const { push, standings } = openLedger()
    push(
      { type: 'call-announced', key: 'a', callId: 'c1', name: 'export_report' },
      { type: 'call-announced', key: 'b', callId: 'c1', name: 'export_report' },
      { type: 'call-returned', callId: 'c1', ok: true },
      { type: 'call-announced', key: 'c', callId: 'c1', name: 'export_report' },
    )
    expect(standings()).toEqual({ a: 'preparing', b: 'preparing', c: 'preparing' })
  })

  // The call `a` is still open then, because it waits for a person.
  test('what was held is given to the one call that is left when the stream ends', () => {
    const { push, standings } = openLedger()
    push(
      { type: 'call-announced', key: 'a', callId: 'c1', name: 'export_report' },
      { type: 'call-finished', key: 'a' },
      { type: 'approval-requested', key: 'a' },
      { type: 'call-announced', key: 'b', callId: 'c1', name: 'export_report' },
      { type: 'call-returned', callId: 'c1', ok: true },
      { type: 'call-returned', key: 'b', ok: false },
      { type: 'stream-ended', ending: EXECUTOR_DONE },
    )
    expect(standings()).toEqual({ a: 'yes, ok', b: 'yes, not-ok' })
  })

  test('a key is never ambiguous', () => {
    const { push, standings } = openLedger()
    push(
      { type: 'call-announced', key: 'a', callId: 'c1', name: 'export_report' },
      { type: 'call-announced', key: 'b', callId: 'c1', name: 'export_report' },
      { type: 'call-returned', key: 'b', callId: 'c1', ok: true },
    )
    expect(standings()).toEqual({ a: 'preparing', b: 'yes, ok' })
  })

  test('an id that a later message uses again is a new call, and evidence goes to the open one', () => {
    const { push, standings, dropped } = openLedger()
    push(
      { type: 'message-started', messageId: 'm1' },
      { type: 'call-announced', key: 'm1:0', callId: 'call_0', name: 'export_report' },
      { type: 'call-returned', callId: 'call_0', ok: true },
      { type: 'message-ended', reason: 'natural', finishesOpenCalls: false },
      { type: 'message-started', messageId: 'm2' },
      { type: 'call-announced', key: 'm2:0', callId: 'call_0', name: 'export_report' },
      { type: 'call-returned', callId: 'call_0', ok: false },
    )
    expect(standings()).toEqual({ 'm1:0': 'yes, ok', 'm2:0': 'yes, not-ok' })
    expect(dropped).toEqual([])
  })

  test('a report that names its message finds the call of that message among several of one id', () => {
    const { push, standings } = openLedger()
    push(
      { type: 'message-started', messageId: 'm1' },
      { type: 'call-announced', key: 'm1:0', callId: 'call_0', name: 'export_report' },
      { type: 'message-started', messageId: 'm2' },
      { type: 'call-announced', key: 'm2:0', callId: 'call_0', name: 'export_report' },
      {
        type: 'outcome-reported',
        report: { callId: 'call_0', messageId: 'm1', name: null, ran: 'no', cause: 'declined' },
      },
    )
    expect(standings()).toEqual({ 'm1:0': 'no, declined', 'm2:0': 'preparing' })
  })

  test('a first id is never overwritten', () => {
    const { push, call } = openLedger()
    push(
      { type: 'call-announced', key: 'a', callId: 'c1' },
      { type: 'call-identified', key: 'a', callId: 'c2', name: 'export_report' },
      { type: 'call-identified', key: 'a', callId: 'c3', name: 'send_payment' },
    )
    expect(call('a')).toMatchObject({ id: 'c1', name: 'export_report' })
  })

  test('an empty id or name is none', () => {
    const { push, call } = openLedger()
    push(
      { type: 'call-announced', key: 'a', callId: '', name: '' },
      { type: 'call-identified', key: 'a', callId: '', name: '' },
    )
    expect(call('a')).toMatchObject({ id: 'kit-call-1', hasWireId: false, name: null })
  })
})

describe('minted ids', () => {
  test('count up in the order of announcement', () => {
    const { push, call } = openLedger()
    push(
      { type: 'call-announced', key: 'a', name: 'x' },
      { type: 'call-announced', key: 'b', callId: 'c1', name: 'x' },
      { type: 'call-announced', key: 'c', name: 'x' },
    )
    expect([call('a').id, call('b').id, call('c').id]).toEqual(['kit-call-1', 'c1', 'kit-call-2'])
  })

  test('skip what the wire uses', () => {
    const { push, call } = openLedger()
    push(
      { type: 'call-announced', key: 'a', callId: 'kit-call-1', name: 'x' },
      { type: 'call-announced', key: 'b', name: 'x' },
    )
    expect([call('a').id, call('b').id]).toEqual(['kit-call-1', 'kit-call-2'])
  })

  test('give way to a wire that uses them later', () => {
    const { push, call, standings } = openLedger()
    push(
      { type: 'call-announced', key: 'a', name: 'x' },
      { type: 'call-announced', key: 'b', callId: 'kit-call-1', name: 'x' },
      { type: 'call-returned', callId: 'kit-call-1', ok: true },
    )
    expect([call('a').id, call('b').id]).toEqual(['kit-call-2', 'kit-call-1'])
    expect(standings()).toEqual({ a: 'preparing', b: 'yes, ok' })
  })

  test('give way also when a wire names another call late', () => {
    const { push, call } = openLedger()
    push(
      { type: 'call-announced', key: 'a', name: 'x' },
      { type: 'call-announced', key: 'b', name: 'x' },
      { type: 'call-identified', key: 'b', callId: 'kit-call-1' },
    )
    expect([call('a').id, call('b').id]).toEqual(['kit-call-3', 'kit-call-1'])
  })
})

describe('a name that comes late decides who runs the call', () => {
  test('a call of ours is judged though it was finished before it had a name', () => {
    const { push, call, standings } = openLedger({ create_ticket: { executor: 'local' } })
    push(
      { type: 'call-announced', key: 'a', callId: 'c1' },
      { type: 'call-fragment', key: 'a', text: '{"title":"Invoice run"}' },
      { type: 'call-finished', key: 'a' },
    )
    expect(standings()).toEqual({ a: 'sent' })
    push(
      { type: 'call-identified', key: 'a', name: 'create_ticket' },
      { type: 'message-ended', reason: 'natural', finishesOpenCalls: false },
    )
    expect(call('a').executor).toBe('local')
    expect(standings()).toEqual({ a: 'ready' })
  })

  test('a call that somebody else runs is no member of our batch', () => {
    const { push, call, standings } = openLedger(
      { export_report: { executor: 'server' }, create_ticket: { executor: 'local' } },
      'local',
    )
    push(
      { type: 'call-announced', key: 'a', callId: 'c1' },
      { type: 'call-fragment', key: 'a', text: '{"month":' },
      { type: 'call-identified', key: 'a', name: 'export_report' },
      { type: 'call-announced', key: 'b', callId: 'c2', name: 'create_ticket' },
      { type: 'call-fragment', key: 'b', text: '{}' },
      { type: 'call-finished', key: 'b' },
      { type: 'message-ended', reason: 'natural', finishesOpenCalls: false },
    )
    expect(call('a').executor).toBe('server')
    expect(standings()).toEqual({ a: 'preparing', b: 'ready' })
  })

  test('what the wire marked as the provider’s stays the provider’s, whatever its name', () => {
    const { push, call } = openLedger({ web_search: { executor: 'local' } })
    push(
      { type: 'call-announced', key: 'a', callId: 'c1', executor: 'provider' },
      { type: 'call-identified', key: 'a', name: 'web_search' },
    )
    expect(call('a').executor).toBe('provider')
  })

  test('a call of ours without a name is never dispatched', () => {
    const { push, standings, outcomes } = openLedger({}, 'local')
    push(
      { type: 'call-announced', key: 'a', callId: 'c1' },
      { type: 'call-fragment', key: 'a', text: '{}' },
      { type: 'message-ended', reason: 'natural', finishesOpenCalls: true },
    )
    expect(standings()).toEqual({ a: 'no, unrecognised' })
    expect(outcomes.get('a')).toMatchObject({ type: 'failed', reason: 'abandoned', name: null, detail: 'nameless' })
  })

  test('a tool called like a member of every object is not declared by that', () => {
    const { push, call } = openLedger({})
    push({ type: 'call-announced', key: 'a', callId: 'c1', name: 'constructor' })
    expect(call('a').executor).toBe('server')
  })
})

describe('a call announced after its message has ended', () => {
  test('is never dispatched', () => {
    const { push, standings } = openLedger({ create_ticket: { executor: 'local' } })
    push(
      { type: 'message-ended', reason: 'natural', finishesOpenCalls: true },
      { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' },
      { type: 'call-fragment', key: 'a', text: '{}' },
      { type: 'call-finished', key: 'a' },
      { type: 'message-ended', reason: 'natural', finishesOpenCalls: true },
      { type: 'stream-ended', ending: EXECUTOR_DONE },
    )
    expect(standings()).toEqual({ a: 'no, ended-early' })
  })

  test('is not dispatched by an approval either', () => {
    const { ledger, turn, push, call, standings } = openLedger({ create_ticket: { executor: 'local' } })
    push(
      { type: 'message-ended', reason: 'natural', finishesOpenCalls: true },
      { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' },
      { type: 'call-fragment', key: 'a', text: '{}' },
      { type: 'call-finished', key: 'a' },
      { type: 'approval-requested', key: 'a' },
    )
    ledger.answer(turn, call('a'), true, 'person', 'host')
    expect(standings()).toEqual({ a: 'validating' })
    expect(ledger.act(turn, call('a'), { type: 'dispatched', source: 'host' })).toBe(false)
    ledger.act(turn, call('a'), { type: 'deadline-passed', deadline: 'handoff' })
    expect(standings()).toEqual({ a: 'no, not-started' })
  })

  test('leaves the batch of that message as it was', () => {
    const { push, standings } = openLedger({ create_ticket: { executor: 'local' } })
    push(
      { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' },
      { type: 'call-fragment', key: 'a', text: '{}' },
      { type: 'message-ended', reason: 'natural', finishesOpenCalls: true },
      { type: 'call-announced', key: 'b', callId: 'c2', name: 'create_ticket' },
      { type: 'call-fragment', key: 'b', text: '{"tit' },
    )
    expect(standings()).toEqual({ a: 'ready', b: 'preparing' })
  })
})

describe('several messages at once, told apart by their key', () => {
  test('a stop reason of one choice says nothing about another', () => {
    const { push, standings } = openLedger({ create_ticket: { executor: 'local' } })
    push(
      { type: 'call-announced', key: '0:0', callId: 'c1', name: 'create_ticket', message: 'choice-0' },
      { type: 'call-announced', key: '1:0', callId: 'c2', name: 'create_ticket', message: 'choice-1' },
      { type: 'call-fragment', key: '0:0', text: '{"title":"a"}' },
      { type: 'call-fragment', key: '1:0', text: '{"title":"b"}' },
      { type: 'message-ended', reason: 'natural', finishesOpenCalls: true, message: 'choice-0' },
    )
    expect(standings()).toEqual({ '0:0': 'ready', '1:0': 'preparing' })
    push({ type: 'message-ended', reason: 'length', finishesOpenCalls: true, message: 'choice-1' })
    expect(standings()).toEqual({ '0:0': 'ready', '1:0': 'no, truncated' })
  })

  test('a message that starts again under its key is the same message', () => {
    const { push, turn } = openLedger()
    push(
      { type: 'message-started', message: 'choice-0' },
      { type: 'text-fragment', text: 'I will ', message: 'choice-0' },
      { type: 'message-started', message: 'choice-0' },
      { type: 'text-fragment', text: 'do that.', message: 'choice-0' },
    )
    expect(turn.messages.size).toBe(1)
    expect(turn.items).toMatchObject([{ type: 'text', text: 'I will do that.' }])
  })

  test('text of two choices is not joined, and each goes on where it is', () => {
    const { push, turn } = openLedger()
    push(
      { type: 'text-fragment', text: 'one', message: 'choice-0' },
      { type: 'text-fragment', text: 'two', message: 'choice-1' },
      { type: 'text-fragment', text: ' more', message: 'choice-0' },
    )
    expect(turn.items).toMatchObject([{ text: 'one more' }, { text: 'two' }])
  })

  test('the later message of a stream does not close an earlier one: its calls settle with the stream', () => {
    const { push, standings } = openLedger({ create_ticket: { executor: 'local' } })
    push(
      { type: 'message-started', messageId: 'm1' },
      { type: 'call-announced', key: 'a', callId: 'c1', name: 'create_ticket' },
      { type: 'message-started', messageId: 'm2' },
      { type: 'call-announced', key: 'b', callId: 'c2', name: 'create_ticket' },
      { type: 'call-fragment', key: 'b', text: '{}' },
      { type: 'message-ended', reason: 'natural', finishesOpenCalls: true },
    )
    expect(standings()).toEqual({ a: 'preparing', b: 'ready' })
    push({ type: 'stream-ended', ending: EXECUTOR_DONE })
    expect(standings()).toEqual({ a: 'no, ended-early', b: 'ready' })
  })
})
