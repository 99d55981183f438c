import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { scenarios } from '../../examples/hosts/scenarios.mjs'
import { comparisons, written } from '../../scripts/compare/comparisons.ts'
import { endsIn, type FaultName, faults } from '../hosts/common.ts'
import type { HostTest } from '../hosts/matrix.ts'

// What the matrix demands of each host, without playing it.
const demanded = vi.hoisted(() => new Map<string, HostTest>())
vi.mock('../hosts/matrix.ts', () => ({
  testHost: (name: string, host: HostTest) => demanded.set(name, host),
}))
await Promise.all([import('../hosts/copilotkit.test.ts'), import('../hosts/tanstack-ai.test.ts')])

const page = readFileSync(new URL('../../docs/compare.md', import.meta.url), 'utf8')
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

function tableBehind(words: string, text: string): string[][] {
  const lines = text.slice(text.indexOf(words)).split('\n')
  const from = lines.findIndex((line) => line.startsWith('|'))
  const length = lines.slice(from).findIndex((line) => !line.startsWith('|'))
  return lines.slice(from + 2, from + length).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** What this kit has to say of a fault in a host, and how often a tool of the page is run. */
function demandedOf(host: string, executor: 'page' | 'page-without-gate' | 'server', fault: FaultName) {
  return endsIn(demanded.get(host)?.differs ?? {}, fault)?.[executor]
}

describe('the comparison', () => {
  test('plays every scenario', () => {
    const played = new Set(Object.values(faults).map(({ scenario }) => scenario))
    expect([...played].sort()).toEqual(Object.keys(scenarios).sort())
  })

  test.each(comparisons)('$title: what this kit says is what its tests demand', ({ host, title, executors }) => {
    const rows = tableBehind(`## ${title}\n`, page)
    const asked = (Object.keys(faults) as FaultName[]).filter((fault) => demandedOf(host, executors.kit, fault))
    expect(rows.map(([fault]) => fault)).toEqual(asked)
    for (const [fault, , , says, runs] of rows) {
      const end = demandedOf(host, executors.kit, fault as FaultName)
      expect([fault, says]).toEqual([fault, end && written(end)])
      if (executors.kit !== 'server') expect([fault, runs]).toEqual([fault, String(end?.runs)])
    }
  })

  test('the README tells the same', () => {
    const rows = tableBehind('## Beside other blocks\n', readme)
    expect(rows).not.toEqual([])
    for (const cells of rows) {
      const fault = cells[0] as FaultName
      expect([fault, `create_ticket — ${cells.at(-1)}`]).toEqual([
        fault,
        written(demandedOf('copilotkit', 'server', fault) ?? { labels: [], notice: null }),
      ])
    }
  })
})
