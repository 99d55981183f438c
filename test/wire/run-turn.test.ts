import { describe, expect, test } from 'vitest'
import { driveTurns } from './turn-harness.ts'
import { TURN_WIRES } from './turn-wires.ts'

const drive = driveTurns()

const MAIL: readonly [string, string] = ['send_mail', '{"title":"Tür klemmt"}']
const TICKET: readonly [string, string] = ['create_ticket', '{"title":"Tür klemmt","priority":"urgent"}']
const MAIL_RUN = 'send_mail {"title":"Tür klemmt"}'
const TICKET_RUN = 'create_ticket {"title":"Tür klemmt","priority":"urgent"}'

describe.each(TURN_WIRES)('%s', (_, wire) => {
  test('text only: one request, no run', async () => {
    const driven = drive(wire, [{ text: 'Good day.' }])
    const result = await driven.ended()
    expect(result).toMatchObject({ status: 'complete', requests: 1, runs: [] })
    expect(result.messages).toEqual(wire.dialect.reply({ text: 'Good day.', calls: [], own: undefined }))
    expect(driven.runs).toEqual([])
  })

  test('one call and then text: one run, and its result is told', async () => {
    const driven = drive(wire, [{ text: "I'll create it now.", calls: [TICKET] }, { text: 'It is ticket 7.' }])
    expect(await driven.ended()).toMatchObject({ status: 'complete', requests: 2 })
    expect(driven.runs).toEqual([TICKET_RUN])
    expect(driven.told(2).map(({ text }) => text)).toEqual(['Ticket 7.'])
    expect(driven.labels()).toEqual(['create_ticket — done'])
  })

  test('two calls side by side: two runs, both told in their order', async () => {
    const driven = drive(wire, [{ calls: [MAIL, TICKET] }, { text: 'Both done.' }])
    expect(await driven.ended()).toMatchObject({ status: 'complete', requests: 2 })
    expect(driven.runs).toEqual([MAIL_RUN, TICKET_RUN])
    expect(driven.told(2).map(({ text }) => text)).toEqual(['Sent.', 'Ticket 7.'])
  })

  test('three rounds of tools: three runs', async () => {
    const driven = drive(wire, [
      { calls: [MAIL] },
      { text: 'Next.', calls: [TICKET] },
      { calls: [MAIL] },
      { text: 'Done.' },
    ])
    expect(await driven.ended()).toMatchObject({ status: 'complete', requests: 4 })
    expect(driven.runs).toEqual([MAIL_RUN, TICKET_RUN, MAIL_RUN])
    expect(driven.told(4)).toHaveLength(3)
  })

  test('blank text before a call is no text: providers refuse it', async () => {
    const driven = drive(wire, [{ text: '\n\n', calls: [MAIL] }, { text: ' \n' }])
    expect(await driven.ended()).toMatchObject({ status: 'complete', requests: 2 })
    expect(driven.runs).toEqual([MAIL_RUN])
    const next = drive(wire, [{ text: 'Yes?' }], {
      history: [wire.user('Hm.'), ...(await driven.turn.ended).messages, wire.user('Hello?')],
    })
    expect(await next.ended()).toMatchObject({ status: 'complete' })
  })

  test('a tool that throws: it ran once, it failed, and the model is told so', async () => {
    const run = () => {
      throw new Error('The mailbox is full.')
    }
    const driven = drive(wire, [{ calls: [MAIL] }, { text: 'Sorry.' }], { tools: { send_mail: { run } } })
    expect(await driven.ended()).toMatchObject({ status: 'complete', requests: 2 })
    expect(driven.runs).toHaveLength(1)
    const [told] = driven.told(2)
    expect(told?.text).toContain('The mailbox is full.')
    expect(told?.isError).not.toBe(false)
    expect(driven.labels()).toEqual(['send_mail — ran and failed'])
  })

  test.each([
    ['an object', { id: 7 }, '{"id":7}'],
    ['nothing', undefined, 'Done.'],
    ['an empty text', '', 'Done.'],
    ['null', null, 'null'],
    ['what has no JSON', 7n, 'Done.'],
  ])('a tool that returns %s', async (_, value, text) => {
    const driven = drive(wire, [{ calls: [MAIL] }, { text: 'Fine.' }], { tools: { send_mail: { run: () => value } } })
    expect(await driven.ended()).toMatchObject({ status: 'complete', requests: 2 })
    expect(driven.told(2).map((told) => told.text)).toEqual([text])
    expect(driven.runs).toHaveLength(1)
    expect(driven.labels()).toEqual(['send_mail — done'])
  })

  test('a call without arguments, of a tool that wants none', async () => {
    const driven = drive(wire, [{ calls: [['list_rooms', '']] }, { text: 'Three.' }], { tools: { list_rooms: {} } })
    expect(await driven.ended()).toMatchObject({ status: 'complete', requests: 2 })
    expect(driven.runs).toEqual(['list_rooms {}'])
  })

  test('a second turn behind the first, and behind one that failed after its tools ran', async () => {
    const first = drive(wire, [{ text: 'Sure.', calls: [MAIL, TICKET] }, { text: 'Done.' }])
    const history = [wire.user('Please.'), ...(await first.ended()).messages, wire.user('Once more.')]
    const second = drive(wire, [{ calls: [MAIL] }, { calls: [TICKET], stop: 'ceiling' }], { history })
    const failed = await second.ended()
    expect(failed).toMatchObject({ status: 'failed', failure: { cause: 'truncated' } })
    expect(second.runs).toEqual([MAIL_RUN])
    const third = drive(wire, [{ text: 'I am back.' }], {
      history: [...history, ...failed.messages, wire.user('And?')],
    })
    expect(await third.ended()).toMatchObject({ status: 'complete', requests: 1 })
  })

  test('not more requests than it may take: what ran is told to no one, and the turn says so', async () => {
    const driven = drive(wire, [{ calls: [MAIL] }, { calls: [MAIL] }, { text: 'Never asked.' }], { maxRequests: 2 })
    const result = await driven.ended()
    expect(result).toMatchObject({
      status: 'failed',
      requests: 2,
      failure: { cause: 'request-limit', recovery: 'report' },
    })
    expect(driven.runs).toHaveLength(2)
    const next = drive(wire, [{ text: 'Go on.' }], {
      history: [wire.user('Hm.'), ...result.messages, wire.user('Go on.')],
    })
    expect(await next.ended()).toMatchObject({ status: 'complete' })
  })

  test("the SDK's own form of the message is what goes back", async () => {
    const driven = drive(wire, [{ text: 'Sure.', calls: [MAIL, TICKET] }, { text: 'Done.' }], { own: true })
    const result = await driven.ended()
    expect(result).toMatchObject({ status: 'complete', requests: 2 })
    expect(driven.runs).toEqual([MAIL_RUN, TICKET_RUN])
    expect(driven.told(2).map(({ text }) => text)).toEqual(['Sent.', 'Ticket 7.'])
    // The control: it is not what the kit would have made itself.
    const made = await drive(wire, [{ text: 'Sure.', calls: [MAIL, TICKET] }, { text: 'Done.' }]).ended()
    expect(JSON.stringify(result.messages[0])).not.toBe(JSON.stringify(made.messages[0]))
  })
})
