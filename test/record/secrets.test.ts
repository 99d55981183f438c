import { describe, expect, test } from 'vitest'
import { secretRun } from './secret-run.ts'

const { found: run, labels } = await secretRun()
const { found: open } = await secretRun({ sensitive: [] })

const leaks = (found: typeof run) =>
  [...found].filter(([place, { leaks }]) => place !== 'snapshot with arguments' && leaks.length > 0)

describe('secrets in sensitive members', () => {
  test('are nowhere that a person, a log or a storage gets to see, whatever becomes of their calls', () => {
    expect(leaks(run)).toEqual([])
    const searched = Object.fromEntries([...run].map(([place, { texts }]) => [place, texts > 20]))
    expect(searched).toMatchObject({
      view: true,
      'settled view': true,
      label: true,
      notice: true,
      turn: true,
      snapshot: true,
      record: true,
      'raw text': true,
      counters: true,
      journal: true,
    })
  })

  test('would be found: in previews, questions and raw texts stands what is not sensitive', () => {
    expect(
      [...run]
        .filter(([, { visible }]) => visible)
        .map(([place]) => place)
        .sort(),
    ).toEqual(['raw text', 'snapshot with arguments', 'view'])
    expect(
      leaks(open)
        .map(([place]) => place)
        .sort(),
    ).toEqual(['raw text', 'view'])
  })

  test('were in calls of every phase, and of every ending that a call of ours can have', () => {
    expect([...labels].sort()).toMatchInlineSnapshot(`
      [
        "Preparing pay…",
        "Running pay…",
        "pay — cancelled",
        "pay — done",
        "pay — may have run (an error was reported)",
        "pay — may have run (cancelled)",
        "pay — may have run (timed out)",
        "pay — not run",
        "pay — not run (another call had a problem)",
        "pay — not run (approval timed out)",
        "pay — not run (blocked by policy)",
        "pay — not run (connection lost)",
        "pay — not run (never started)",
        "pay — not run (rejected by a rule)",
        "pay — not run (stopped by a content filter)",
        "pay — not run (the details were not valid)",
        "pay — not run (the page was closed)",
        "pay — not run (the request was cut short)",
        "pay — not run (the request was unreadable)",
        "pay — not run (the response ended early)",
        "pay — not run (the service reported an error)",
        "pay — not run (you declined)",
        "pay — ran and failed",
        "pay — waiting for your approval",
        "pay — waiting to run",
      ]
    `)
  })

  test('are in a snapshot only where the host has asked for the arguments', () => {
    expect(run.get('snapshot with arguments')?.leaks).toHaveLength(1)
  })
})
