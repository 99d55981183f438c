import { expect, test } from 'vitest'
import { type Call, type CallState, LEDGER_PHASES, type LedgerPhase } from '../../src/core/call.ts'
import type { Executor } from '../../src/core/tools.ts'
import { CALL_INPUT_TYPES, type CallInput, transition } from '../../src/core/transition.ts'
import { cellOf, EXIT_OF, GROUPS, type Target } from './lifecycle-table.ts'
import { callsIn, HAPPENINGS, type Happening } from './lifecycle-variants.ts'

function targetOf(state: CallState, from: LedgerPhase, input: CallInput['type']): Target {
  if (state.phase !== 'settled') return state.phase
  if (from === 'settled') return 'settled'
  return input === 'returned' || input === 'reported' ? 'told' : EXIT_OF[state.settled.cause]
}

/** Where every variant of an input leads every call that can stand in a phase. */
function reached(executor: Executor, phase: LedgerPhase, type: CallInput['type']): Target[] {
  const targets = new Set<Target>()
  const happenings: readonly Happening[] = HAPPENINGS[type]
  for (const call of callsIn(phase, executor)) {
    for (const { input, noted, end } of happenings) {
      const message = end === undefined ? call.message : { ...call.message, end }
      targets.add(targetOf(transition({ ...call, ...noted, message }, input).state, phase, type))
    }
  }
  return [...targets].sort()
}

const executors: readonly Executor[] = Object.values(GROUPS).flat()

for (const executor of executors) {
  for (const phase of LEDGER_PHASES) {
    if (cellOf(executor, phase, 'finished') === null) continue

    test(`a ${executor} call that is ${phase} goes exactly where the table says, whatever happens`, () => {
      const row = CALL_INPUT_TYPES.map((input) => [input, reached(executor, phase, input)])
      expect(Object.fromEntries(row)).toEqual(
        Object.fromEntries(
          CALL_INPUT_TYPES.map((input) => [input, [...(cellOf(executor, phase, input) ?? [])].sort()]),
        ),
      )
    })
  }

  test(`no input leads a ${executor} call into a phase that the table leaves out`, () => {
    const leftOut = new Set<Target>(LEDGER_PHASES.filter((phase) => cellOf(executor, phase, 'finished') === null))
    const leading = LEDGER_PHASES.flatMap((phase) =>
      CALL_INPUT_TYPES.filter((input) => cellOf(executor, phase, input)?.some((target) => leftOut.has(target))),
    )
    expect(leading).toEqual([])
  })

  test(`from every phase of a ${executor} call some input leads into settled`, () => {
    const open = LEDGER_PHASES.filter((phase) => phase !== 'settled' && cellOf(executor, phase, 'finished') !== null)
    const stuck = open.filter(
      (phase) => !CALL_INPUT_TYPES.some((input) => cellOf(executor, phase, input)?.includes('told')),
    )
    expect(stuck).toEqual([])
  })
}

test('what settled a call can be withdrawn by evidence alone', () => {
  const changing = new Set<CallInput['type']>()
  for (const executor of executors) {
    for (const call of callsIn('settled', executor)) {
      for (const type of CALL_INPUT_TYPES) {
        for (const { input, noted } of HAPPENINGS[type] as readonly Happening[]) {
          const { state } = transition({ ...call, ...noted }, input)
          if (state !== call.state) changing.add(type)
        }
      }
    }
  }
  expect([...changing].sort()).toEqual(['dispatched', 'reported', 'returned'])
})

/** What settles a call, by which input: `ran` and the input's type, over all calls that can stand in a phase. */
function settlings(executor: Executor, phase: LedgerPhase, chosen: (call: Call) => boolean): string[] {
  const found = new Set<string>()
  for (const call of callsIn(phase, executor).filter(chosen)) {
    for (const type of CALL_INPUT_TYPES) {
      for (const { input, noted, end } of HAPPENINGS[type] as readonly Happening[]) {
        const message = end === undefined ? call.message : { ...call.message, end }
        const { state } = transition({ ...call, ...noted, message }, input)
        if (state.phase === 'settled') found.add(`${state.settled.ran} by ${type}`)
      }
    }
  }
  return [...found].sort()
}

for (const phase of LEDGER_PHASES.filter((phase) => phase !== 'settled' && phase !== 'running')) {
  test(`a local call that is ${phase} and was never dispatched is "not run", if nobody says otherwise`, () => {
    const said = settlings('local', phase, (call) => !call.dispatched).filter((way) => !way.startsWith('no'))
    expect(said).toEqual(['unknown by reported', 'yes by reported', 'yes by returned'])
  })
}

for (const executor of executors) {
  test(`a ${executor} call that was dispatched is "not run" on a report alone`, () => {
    for (const phase of ['running', 'resuming'] as const) {
      const said = settlings(executor, phase, (call) => call.dispatched)
      expect(said.filter((way) => way.startsWith('no') && way !== 'no by reported')).toEqual([])
    }
  })
}

for (const executor of GROUPS.others) {
  test(`a ${executor} call that was handed over is "not run" on a report or a refusal alone`, () => {
    const said = settlings(executor, 'sent', () => true)
    expect(said.filter((way) => way.startsWith('no'))).toEqual(['no by approval-answered', 'no by reported'])
  })
}

test('a change of nothing is the same state, so that nothing is published', () => {
  const [preparing] = callsIn('preparing', 'local')
  if (preparing === undefined) throw new Error('no call')
  expect(transition(preparing, { type: 'resumed' }).state).toBe(preparing.state)
  expect(transition(preparing, { type: 'deadline-passed', deadline: 'run' }).state).toBe(preparing.state)
})
