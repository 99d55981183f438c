import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { deferred, driveTurns, TITLE } from './turn-harness.ts'
import { TURN_WIRES } from './turn-wires.ts'

const drive = driveTurns()

type Call = readonly [name: string, args: string]

const ticket = (args: object): Call => ['create_ticket', JSON.stringify(args)]
const P1 = ticket({ title: 'Door', priority: 'P1' })
const URGENT = ticket({ title: 'Door', priority: 'urgent' })
const URGENT_RUN = 'create_ticket {"title":"Door","priority":"urgent"}'
const MAIL: Call = ['send_mail', '{"title":"Door"}']
const MAIL_RUN = 'send_mail {"title":"Door"}'
const NOT_VALID = 'create_ticket — not run (the details were not valid)'

describe.each(TURN_WIRES)('%s', (_, wire) => {
  // The others know no such flag.
  const isError = wire.adapter.format === 'anthropic' ? true : undefined

  test('a guessed word that is then right: one run, and nobody but the model ever learns of it', async () => {
    const driven = drive(wire, [
      { text: "I'll create it.", calls: [P1] },
      { calls: [URGENT] },
      { text: 'It is ticket 7.' },
    ])
    const result = await driven.ended()
    expect(result).toMatchObject({ status: 'complete', requests: 3, corrections: [{ asked: 1, recovered: 1 }] })
    expect(driven.runs).toEqual([URGENT_RUN])
    expect(driven.labels()).toEqual(['create_ticket — done'])
    expect(driven.notice()).toEqual([])

    const [labels = []] = driven.seen.values()
    expect(driven.seen.size).toBe(1)
    expect([...new Set(labels)]).toEqual([
      'Preparing create_ticket…',
      'create_ticket — waiting to run',
      'Running create_ticket…',
      'create_ticket — done',
    ])

    const [told] = driven.told(2)
    for (const word of ['priority', 'low', 'normal', 'urgent']) expect(told?.text).toContain(word)
    expect(told?.isError).toBe(isError)
    // The control: what went well is no error on any wire.
    expect(driven.told(3)[1]?.isError).toBe(isError === undefined ? undefined : false)
  })

  test('its siblings are answered as held back, and both are corrected together', async () => {
    const driven = drive(wire, [{ calls: [MAIL, P1] }, { calls: [MAIL, URGENT] }, { text: 'Both done.' }])
    expect(await driven.ended()).toMatchObject({ status: 'complete', requests: 3 })
    expect(driven.runs).toEqual([MAIL_RUN, URGENT_RUN])
    const [held, wrong] = driven.told(2)
    expect(held?.text).toContain('another call of this message had a problem')
    expect(wrong?.text).toContain('not valid')
    expect([held?.isError, wrong?.isError]).toEqual([isError, isError])
    for (const labels of driven.seen.values()) expect(labels.join()).not.toContain('not run')
    expect(driven.labels()).toEqual(['send_mail — done', 'create_ticket — done'])
  })

  test('what no model can satisfy ends after one round trip: nothing ran, and it says so', async () => {
    const missing = ticket({ priority: 'low' })
    const driven = drive(wire, [{ calls: [missing] }, { calls: [missing] }, { text: 'Never asked.' }])
    const result = await driven.ended()
    expect(result).toMatchObject({
      status: 'failed',
      requests: 2,
      failure: { cause: 'invalid-arguments', recovery: 'report' },
      corrections: [{ asked: 1, recovered: 0 }],
    })
    expect(driven.runs).toEqual([])
    expect(driven.labels()).toEqual([NOT_VALID])
    expect(driven.notice()).toEqual(['Not run: create_ticket.'])
    const next = drive(wire, [{ text: 'Which title?' }], {
      history: [wire.user('A ticket.'), ...result.messages, wire.user('Well?')],
    })
    expect(await next.ended()).toMatchObject({ status: 'complete' })
  })

  test('a required member that is missing still, be it another one, gets one round trip', async () => {
    const driven = drive(wire, [{ calls: [ticket({ priority: 'low' })] }, { calls: [ticket({ title: 'Door' })] }])
    expect(await driven.ended()).toMatchObject({ status: 'failed', requests: 2 })
    expect(driven.runs).toEqual([])
    expect(driven.labels()).toEqual([NOT_VALID])
  })

  test('wrong at the same place for the same rule: ends early', async () => {
    const P2 = ticket({ title: 'Door', priority: 'P2' })
    const driven = drive(wire, [{ calls: [P1] }, { calls: [P2] }, { calls: [URGENT] }])
    expect(await driven.ended()).toMatchObject({ status: 'failed', requests: 2 })
    expect(driven.runs).toEqual([])
    expect(driven.labels()).toEqual([NOT_VALID])
  })

  test('wrong each time in another way: ends after two round trips', async () => {
    const wrong = [
      ticket({ title: 'Door', priority: 'P1' }),
      ticket({ title: 7, priority: 'low' }),
      ticket({ title: 'Door', priority: ['low'] }),
    ]
    const tools = {
      create_ticket: {
        schema: z.object({
          title: z.string(),
          priority: z
            .string()
            .or(z.array(z.string()).max(0))
            .pipe(z.enum(['low', 'normal', 'urgent'])),
        }),
      },
    }
    const driven = drive(wire, [...wrong.map((call) => ({ calls: [call] })), { calls: [URGENT] }], { tools })
    expect(await driven.ended()).toMatchObject({
      status: 'failed',
      requests: 3,
      corrections: [
        { asked: 1, recovered: 0 },
        { asked: 1, recovered: 0 },
      ],
    })
    expect(driven.runs).toEqual([])
    expect(driven.labels()).toEqual([NOT_VALID])
  })

  test('recovered by the second attempt: counted there', async () => {
    const script = [
      { calls: [P1] },
      { calls: [ticket({ title: 7, priority: 'low' })] },
      { calls: [URGENT] },
      { text: 'Ok.' },
    ]
    const driven = drive(wire, script)
    const { corrections, status } = await driven.ended()
    expect(status).toBe('complete')
    expect(corrections).toEqual([
      { asked: 1, recovered: 0 },
      { asked: 1, recovered: 1 },
    ])
    expect(driven.runs).toEqual([URGENT_RUN])
  })

  test('a later batch has a bound of its own', async () => {
    const script = [{ calls: [P1] }, { calls: [URGENT] }, { calls: [P1] }, { calls: [URGENT] }, { text: 'Ok.' }]
    const driven = drive(wire, script)
    expect(await driven.ended()).toMatchObject({ status: 'complete', corrections: [{ asked: 2, recovered: 2 }] })
    expect(driven.runs).toEqual([URGENT_RUN, URGENT_RUN])
  })

  test('with no corrections: one request, nothing ran, and it says so', async () => {
    const driven = drive(wire, [{ calls: [MAIL, P1] }, { text: 'Never asked.' }], { corrections: 0 })
    expect(await driven.ended()).toMatchObject({
      status: 'failed',
      requests: 1,
      failure: { cause: 'invalid-arguments', recovery: 'report' },
      corrections: [],
    })
    expect(driven.runs).toEqual([])
    expect(driven.labels()).toEqual(['send_mail — not run (another call had a problem)', NOT_VALID])
  })

  test('arguments that are no object are sent back in a form that the provider takes', async () => {
    const driven = drive(wire, [{ calls: [['create_ticket', '["Door"]']] }, { calls: [URGENT] }, { text: 'Ok.' }])
    expect(await driven.ended()).toMatchObject({ status: 'complete', requests: 3 })
    expect(driven.told(2)[0]?.text).toContain('object')
    expect(driven.runs).toEqual([URGENT_RUN])
  })

  test('an answer without the calls: nothing ran, the block says so, and the turn goes on', async () => {
    const driven = drive(wire, [{ calls: [P1] }, { text: 'Then I cannot.' }])
    expect(await driven.ended()).toMatchObject({ status: 'complete', requests: 2 })
    expect(driven.runs).toEqual([])
    expect(driven.labels()).toEqual([NOT_VALID])
  })

  test('a rule that refuses: its reason is told, it is no correction, and the model goes on', async () => {
    const check = () => 'There is such a ticket already.'
    const driven = drive(wire, [{ calls: [MAIL, URGENT] }, { text: 'There is one.' }], {
      tools: { create_ticket: { check } },
    })
    expect(await driven.ended()).toMatchObject({ status: 'complete', requests: 2, corrections: [] })
    expect(driven.runs).toEqual([])
    const [held, refused] = driven.told(2)
    expect(refused?.text).toContain('There is such a ticket already.')
    expect(held?.text).toContain('another call')
    expect([held?.isError, refused?.isError]).toEqual([isError, isError])
    expect(driven.labels()).toEqual([
      'send_mail — not run (another call had a problem)',
      'create_ticket — not run (rejected by a rule)',
    ])
  })

  test('a tool that does not exist: told so, and the model goes on', async () => {
    const driven = drive(wire, [{ calls: [['launch', '{}']] }, { text: 'Sorry.' }])
    expect(await driven.ended()).toMatchObject({ status: 'complete', requests: 2, corrections: [] })
    expect(driven.runs).toEqual([])
    expect(driven.told(2)[0]?.text).toContain('no such tool')
    expect(driven.labels()).toEqual(['launch — not run (no such tool)'])
  })

  test('declined: told so; nothing runs', async () => {
    const driven = drive(wire, [{ calls: [MAIL] }, { text: 'As you wish.' }], {
      tools: { send_mail: { needsApproval: true } },
    })
    await driven.reads('send_mail — waiting for your approval')
    const { key, id } = driven.store.callByKey(driven.turn.id, [...driven.seen.keys()][0] ?? '')?.getState() ?? {}
    expect(driven.store.answerApproval({ callId: id ?? '', key, turnId: driven.turn.id }, { granted: false })).toBe(
      true,
    )
    expect(await driven.ended()).toMatchObject({ status: 'complete', requests: 2 })
    expect(driven.runs).toEqual([])
    expect(driven.told(2)[0]?.text).toContain('the user declined')
    expect(driven.labels()).toEqual(['send_mail — not run (you declined)'])
  })

  test('approved: what runs is what was approved, once, while its sibling ran already', async () => {
    const given: unknown[] = []
    const sibling = deferred<string>()
    const entered = deferred()
    const driven = drive(wire, [{ calls: [URGENT, MAIL] }, { text: 'Both.' }], {
      tools: {
        send_mail: {
          schema: TITLE,
          needsApproval: true,
          run: (args) => {
            given.push(args)
            return 'Sent.'
          },
        },
        create_ticket: {
          run: () => {
            entered.resolve()
            return sibling.promise
          },
        },
      },
    })
    await driven.reads('send_mail — waiting for your approval')
    await entered.promise
    expect(driven.runs).toEqual([URGENT_RUN])
    const asked = [...driven.seen.keys()].map((key) => driven.store.callByKey(driven.turn.id, key)?.getState())
    const view = asked.find((call) => call?.name === 'send_mail')
    if (view?.phase !== 'waiting' || view.on !== 'person') expect.unreachable('nobody is asked')
    expect(view.asked.map(({ path, text }) => [path, text])).toEqual([['title', 'Door']])
    const ref = { callId: view.id, turnId: driven.turn.id }
    expect(driven.store.answerApproval(ref, { granted: true })).toBe(true)
    expect(driven.store.answerApproval(ref, { granted: true })).toBe(false)
    await driven.reads('send_mail — done')
    expect(driven.labels()).toEqual(['Running create_ticket…', 'send_mail — done'])
    sibling.resolve('Ticket 7.')
    expect(await driven.ended()).toMatchObject({ status: 'complete', requests: 2 })
    expect(driven.runs).toEqual([URGENT_RUN, MAIL_RUN])
    expect(given.map((args) => [args, Object.isFrozen(args)])).toEqual([[{ title: 'Door' }, true]])
    expect(driven.told(2).map(({ text }) => text)).toEqual(['Ticket 7.', 'Sent.'])
  })
})
