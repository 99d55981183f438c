import { describe, expect, test } from 'vitest'
import { deferred, driveTurns } from './turn-harness.ts'
import { TURN_WIRES } from './turn-wires.ts'

const drive = driveTurns()

type Call = readonly [name: string, args: string]

const MAIL: Call = ['send_mail', '{"title":"Door"}']
const MAIL_RUN = 'send_mail {"title":"Door"}'
const TICKET: Call = ['create_ticket', '{"title":"Door","priority":"low"}']
const P1: Call = ['create_ticket', '{"title":"Door","priority":"P1"}']

describe.each(TURN_WIRES)('%s', (_, wire) => {
  /** What a turn left behind is taken by the provider. */
  async function goesOn(messages: readonly object[]): Promise<void> {
    const next = drive(wire, [{ text: 'Yes?' }], { history: [wire.user('Hm.'), ...messages, wire.user('Hello?')] })
    expect(await next.ended()).toMatchObject({ status: 'complete', requests: 1 })
  }

  test('by a signal that was aborted already: nobody is asked', async () => {
    const driven = drive(wire, [{ text: 'Never asked.' }], { signal: AbortSignal.abort() })
    expect(await driven.ended()).toMatchObject({ status: 'cancelled', requests: 0, runs: [], messages: [] })
    expect(driven.notice()).toEqual(['The reply stopped here.', 'No tool was run.'])
  })

  test.each(['turn', 'signal'] as const)('by the %s before the headers came', async (by) => {
    const controller = new AbortController()
    const driven = drive(wire, ['silence'], { signal: controller.signal, regenerate: 2 })
    await driven.conversation.asked(1)
    if (by === 'turn') driven.turn.cancel()
    else controller.abort()
    expect(await driven.ended()).toMatchObject({ status: 'cancelled', requests: 1, runs: [], messages: [] })
    await driven.conversation.requests[0]?.closed
    expect(driven.runs).toEqual([])
  })

  test('in the middle of the arguments: the server sees it go, and nothing runs', async () => {
    const driven = drive(wire, [{ calls: [MAIL, TICKET], stop: 'silent' }], { regenerate: 2 })
    await driven.reads('Preparing create_ticket…')
    driven.turn.cancel()
    expect(driven.labels()).toEqual(['send_mail — cancelled', 'create_ticket — cancelled'])
    const result = await driven.ended()
    expect(result).toMatchObject({ status: 'cancelled', requests: 1, messages: [] })
    await driven.conversation.requests[0]?.closed
    expect(driven.runs).toEqual([])
    await goesOn(result.messages)
  })

  test('while a tool runs: it may have run, the tool is told to stop, and what it returns later is the truth', async () => {
    const entered = deferred<AbortSignal>()
    const returned = deferred<string>()
    const driven = drive(wire, [{ calls: [MAIL] }, { text: 'Never asked.' }], {
      tools: {
        send_mail: {
          run: (_, { signal }) => {
            entered.resolve(signal)
            return returned.promise
          },
        },
      },
    })
    const signal = await entered.promise
    expect(signal.aborted).toBe(false)
    driven.turn.cancel()
    expect(signal.aborted).toBe(true)
    const result = await driven.ended()
    expect(result).toMatchObject({ status: 'cancelled', requests: 1 })
    expect(result.runs.map(({ settled }) => settled.ran)).toEqual(['unknown'])
    expect(driven.labels()).toEqual(['send_mail — may have run (cancelled)'])
    expect(driven.runs).toEqual([MAIL_RUN])
    await goesOn(result.messages)

    returned.resolve('Sent.')
    await driven.reads('send_mail — done')
    expect(driven.runs).toEqual([MAIL_RUN])
  })

  test('a tool that throws because it is stopped says no more than that it was stopped', async () => {
    const entered = deferred()
    const driven = drive(wire, [{ calls: [MAIL] }], {
      tools: {
        send_mail: {
          run: (_, { signal }) =>
            new Promise((_, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason))
              entered.resolve()
            }),
        },
      },
    })
    await entered.promise
    driven.turn.cancel()
    expect(await driven.ended()).toMatchObject({ status: 'cancelled', requests: 1 })
    expect(driven.labels()).toEqual(['send_mail — may have run (cancelled)'])
    expect(driven.runs).toEqual([MAIL_RUN])
  })

  test('during a correction: the block says so, and nothing ran', async () => {
    const driven = drive(wire, [{ calls: [P1] }, 'silence'])
    await driven.conversation.asked(2)
    expect(driven.labels()).toEqual(['Preparing create_ticket…'])
    driven.turn.cancel()
    const result = await driven.ended()
    expect(result).toMatchObject({ status: 'cancelled', requests: 2 })
    expect(driven.labels()).toEqual(['create_ticket — cancelled'])
    expect(driven.runs).toEqual([])
    await driven.conversation.requests[1]?.closed
    await goesOn(result.messages)
  })

  test('while a person is asked: that call never ran, its sibling did, and the model would be told so', async () => {
    const driven = drive(wire, [{ calls: [MAIL, TICKET] }, { text: 'Never asked.' }], {
      tools: { create_ticket: { needsApproval: true } },
    })
    await driven.reads('create_ticket — waiting for your approval')
    await driven.reads('send_mail — done')
    driven.turn.cancel()
    const result = await driven.ended()
    expect(result).toMatchObject({ status: 'cancelled', requests: 1 })
    expect(driven.labels()).toEqual(['send_mail — done', 'create_ticket — cancelled'])
    expect(driven.runs).toEqual([MAIL_RUN])
    await goesOn(result.messages)
    const [sent, cancelled] = wire.told({ messages: result.messages, input: result.messages })
    expect(sent?.text).toBe('Sent.')
    expect(cancelled?.text).toContain('cancelled')
    // It was asked to be made again by nobody.
    expect(cancelled?.text).not.toContain('again')
  })

  test('when it has ended: nothing changes any more', async () => {
    const driven = drive(wire, [{ calls: [MAIL] }, { text: 'Sent.' }])
    const result = await driven.ended()
    driven.turn.cancel()
    expect(driven.labels()).toEqual(['send_mail — done'])
    expect(result.status).toBe('complete')
    expect(driven.runs).toEqual([MAIL_RUN])
  })
})
