import { describe, expect, test } from 'vitest'
import type { ScriptedReply } from './strict-frames.ts'
import { driveTurns } from './turn-harness.ts'
import { TURN_WIRES } from './turn-wires.ts'

const drive = driveTurns()

type Call = readonly [name: string, args: string]

const MAIL: Call = ['send_mail', '{"title":"Door"}']
const MAIL_RUN = 'send_mail {"title":"Door"}'
const URGENT: Call = ['create_ticket', '{"title":"Door","priority":"urgent"}']
const CUT: Call = ['create_ticket', '{"title":"The door is jamm']
const REJECTED = [400, 401, 429, 529].map((status) => [status, `type_${status}`, `req_${status}`] as const)

describe.each(TURN_WIRES)('%s', (_, wire) => {
  test.each([
    [
      'the token ceiling, in good order',
      { calls: [MAIL, URGENT], stop: 'ceiling' },
      'truncated',
      'the request was cut short',
    ],
    ['text that cannot be read', { calls: [CUT] }, 'unparseable', 'the request was unreadable'],
    ['a body that just ends', { calls: [URGENT], stop: 'early' }, 'ended-early', 'the response ended early'],
  ] as const)('%s: nothing is sent back, nothing runs, and it says so', async (_, reply, cause, words) => {
    const driven = drive(wire, [reply as ScriptedReply, { text: 'Never asked.' }])
    const result = await driven.ended()
    expect(result).toMatchObject({ status: 'failed', requests: 1, failure: { cause, recovery: 'regenerate' } })
    expect(result.messages).toEqual([])
    expect(driven.runs).toEqual([])
    expect(driven.labels().at(-1)).toBe(`create_ticket — not run (${words})`)
  })

  test('a connection that goes in the middle of the arguments: the same', async () => {
    const driven = drive(wire, [{ calls: [URGENT], stop: 'silent' }, { text: 'Never asked.' }])
    await driven.reads('Preparing create_ticket…')
    driven.conversation.requests[0]?.drop()
    expect(await driven.ended()).toMatchObject({ status: 'failed', requests: 1, failure: { cause: 'connection-lost' } })
    expect(driven.runs).toEqual([])
    expect(driven.labels()).toEqual(['create_ticket — not run (connection lost)'])
  })

  test('silence in the middle of the arguments: the same, by the deadline', async () => {
    const driven = drive(wire, [{ calls: [URGENT], stop: 'silent' }, { text: 'Never asked.' }])
    await driven.reads('Preparing create_ticket…')
    driven.clock.advance(29_999)
    expect(driven.labels()).toEqual(['Preparing create_ticket…'])
    driven.clock.advance(1)
    expect(await driven.ended()).toMatchObject({ status: 'failed', requests: 1, failure: { cause: 'connection-lost' } })
    expect(driven.runs).toEqual([])
    await driven.conversation.requests[0]?.closed
  })

  test('a connection that goes behind the end of the message takes nothing away from its calls', async () => {
    const driven = drive(wire, [{ calls: [MAIL], stop: 'unclosed' }, { text: 'Sent.' }], { regenerate: 1 })
    await driven.reads('send_mail — waiting to run')
    driven.conversation.requests[0]?.drop()
    expect(await driven.ended()).toMatchObject({ status: 'complete', requests: 2, regenerated: 0 })
    expect(driven.runs).toEqual([MAIL_RUN])
    expect(driven.labels()).toEqual(['send_mail — done'])
  })

  test('one good call beside a damaged one: no write at all', async () => {
    const driven = drive(wire, [{ calls: [MAIL, CUT] }, { text: 'Never asked.' }])
    expect(await driven.ended()).toMatchObject({ status: 'failed', requests: 1 })
    expect(driven.runs).toEqual([])
    expect(driven.labels()).toEqual([
      'send_mail — not run (another call had a problem)',
      'create_ticket — not run (the request was unreadable)',
    ])
  })

  test('incomplete, then complete: one run', async () => {
    const driven = drive(wire, [{ calls: [CUT] }, { calls: [URGENT] }, { text: 'Ticket 7.' }], { regenerate: 1 })
    const result = await driven.ended()
    expect(result).toMatchObject({ status: 'complete', requests: 3, regenerated: 1 })
    expect(driven.runs).toEqual(['create_ticket {"title":"Door","priority":"urgent"}'])
    expect(JSON.stringify(driven.conversation.requests[1]?.body)).toContain('nothing of it was carried out')
    // What was asked for again is no part of what was said.
    expect(JSON.stringify(driven.conversation.requests[2]?.body)).not.toContain('nothing of it was carried out')
    expect(JSON.stringify(driven.conversation.requests.map(({ body }) => body))).not.toContain('The door is jamm')
    const next = drive(wire, [{ text: 'Yes.' }], { history: [wire.user('Hm.'), ...result.messages, wire.user('So?')] })
    expect(await next.ended()).toMatchObject({ status: 'complete' })
  })

  test('always incomplete: ends at the limit, nothing ran, and it says so', async () => {
    for (const regenerate of [0, 1, 3]) {
      const script = Array.from({ length: 9 }, () => ({ calls: [MAIL, CUT] }))
      const driven = drive(wire, script, { regenerate })
      expect(await driven.ended()).toMatchObject({
        status: 'failed',
        requests: regenerate + 1,
        regenerated: regenerate,
        failure: { cause: 'unparseable' },
      })
      expect(driven.runs).toEqual([])
      expect(new Set(driven.labels())).toEqual(
        new Set([
          'send_mail — not run (another call had a problem)',
          'create_ticket — not run (the request was unreadable)',
        ]),
      )
    }
  })

  test('nothing is asked for again once something was dispatched', async () => {
    const driven = drive(wire, [{ calls: [MAIL] }, { calls: [CUT] }, { text: 'Never asked.' }], { regenerate: 3 })
    expect(await driven.ended()).toMatchObject({ status: 'failed', requests: 2, regenerated: 0 })
    expect(driven.runs).toEqual([MAIL_RUN])
  })

  test('a correction that breaks off may be asked for again, as nothing was dispatched', async () => {
    const P1: Call = ['create_ticket', '{"title":"Door","priority":"P1"}']
    const driven = drive(wire, [{ calls: [P1] }, { calls: [CUT] }, { calls: [URGENT] }, { text: 'Ok.' }], {
      regenerate: 1,
    })
    expect(await driven.ended()).toMatchObject({ status: 'complete', requests: 4, regenerated: 1 })
    expect(driven.runs).toHaveLength(1)
  })

  test.each(REJECTED)(
    'refused with %i: kept with its type and id, and not asked again',
    async (status, type, requestId) => {
      const driven = drive(wire, [{ status, type, requestId }, { text: 'Never asked.' }], { regenerate: 3 })
      expect(await driven.ended()).toMatchObject({
        status: 'failed',
        requests: 1,
        regenerated: 0,
        failure: { cause: 'provider-error', recovery: 'report' },
        rejection: { status, type, requestId },
      })
      expect(driven.runs).toEqual([])
      expect(driven.notice()).toEqual(['The reply stopped here (the service reported an error).', 'No tool was run.'])
    },
  )

  test('refused after a tool ran: the run stands', async () => {
    const refused = { status: 529, type: 'overloaded_error', requestId: 'req_7' }
    const driven = drive(wire, [{ calls: [MAIL] }, refused], { regenerate: 3 })
    const result = await driven.ended()
    expect(result).toMatchObject({ status: 'failed', requests: 2, rejection: refused })
    expect(driven.runs).toEqual([MAIL_RUN])
    expect(driven.labels()).toEqual(['send_mail — done'])
    const next = drive(wire, [{ text: 'Yes.' }], { history: [wire.user('Hm.'), ...result.messages, wire.user('So?')] })
    expect(await next.ended()).toMatchObject({ status: 'complete' })
  })
})
