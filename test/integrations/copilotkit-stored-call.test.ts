import { expect, test } from 'vitest'
import { labelOf } from '../../src/core/labels.ts'
import { NOT_RUN_MARK } from '../../src/core/marks.ts'
import type { Executor } from '../../src/core/tools.ts'
import { viewOfStored } from '../../src/integrations/copilotkit/stored-call.ts'

const page = 'may have run (the page was closed)'

const stored: Record<string, { readonly status: string; readonly result?: string; readonly says: string }> = {
  'no result': { status: 'inProgress', says: page },
  'a status that the host makes up': { status: 'executing', says: page },
  'a result': { status: 'complete', result: '7', says: 'done' },
  'an empty result': { status: 'complete', result: '', says: 'done' },
  'the mark of a gate': { status: 'complete', result: `${NOT_RUN_MARK} create_ticket — cancelled`, says: 'not run' },
  'an error that the host wrote': {
    status: 'complete',
    result: 'Error: MARKER',
    says: 'may have run (an error was reported)',
  },
  'the place of a result': { status: 'complete', result: 'Forwarded to client', says: page },
}

// What `useInterrupt` writes where the result will be: its own words, or whatever the page resolved it with.
const answers = [
  '{"status":"cancelled"}',
  '{"status":"resolved"}',
  '{"approved":true}',
  '{"approved":false}',
  'true',
  'false',
]

test.each(answers)('what may be the answer to an interrupt proves nothing of a server: %s', (result) => {
  const says = (executor: 'host' | 'server') => {
    const registry = { tools: { create_ticket: { executor } }, defaultExecutor: 'server' } as const
    const view = viewOfStored(registry, { name: 'create_ticket', toolCallId: 'c1', status: 'complete', result })
    return view && labelOf(view)
  }
  expect(says('server')).toBe(`create_ticket — ${page}`)
  // The control: what a tool of the page gives back is its result.
  expect(says('host')).toBe('create_ticket — done')
})

const rows = Object.entries(stored).flatMap(([name, call]) =>
  (['host', 'server', 'local'] as const).map((executor) => [name, executor, call] as const),
)

test.each(rows)('%s, %s', (_, executor: Exclude<Executor, 'provider'>, { says, ...call }) => {
  const registry = { tools: { create_ticket: { executor } }, defaultExecutor: 'server' } as const
  const view = viewOfStored(registry, { name: 'create_ticket', toolCallId: 'c1', ...call })
  expect(view && labelOf(view)).toBe(`create_ticket — ${says}`)
})
