import type { ToolCallRenderProps } from '@tanstack/ai-react/ui'
import { expect, test } from 'vitest'
import { labelOf } from '../../src/core/labels.ts'
import { NOT_RUN_MARK } from '../../src/core/marks.ts'
import { viewOfPart } from '../../src/integrations/tanstack-ai/stored-part.ts'

const approval = (approved?: boolean) => ({
  id: 'a1',
  needsApproval: true,
  ...(approved === undefined ? {} : { approved }),
})
const closed = 'not run (the page was closed)'
const perhaps = 'may have run (the page was closed)'

const rows: readonly [Partial<ToolCallRenderProps>, local: string, server: string][] = [
  [{ state: 'awaiting-input', arguments: '' }, closed, perhaps],
  [{ state: 'input-streaming', arguments: '{"a' }, closed, perhaps],
  [{ state: 'input-complete' }, perhaps, perhaps],
  [{ state: 'input-complete', arguments: '{"a' }, perhaps, perhaps],
  [{ state: 'approval-requested', approval: approval() }, perhaps, 'waiting for your approval'],
  [{ state: 'approval-responded', approval: approval(true) }, perhaps, perhaps],
  [{ state: 'approval-responded', approval: approval(false) }, 'not run (you declined)', 'not run (you declined)'],
  [{ state: 'complete' }, perhaps, perhaps],
  [{ state: 'complete', output: { id: 7 } }, 'done', 'done'],
  [{ state: 'complete', output: null }, 'done', 'done'],
  [{ state: 'complete', output: { approved: true, pendingExecution: true } }, perhaps, perhaps],
  [
    { state: 'error', output: { error: 'MARKER' } },
    'may have run (an error was reported)',
    'may have run (an error was reported)',
  ],
  [{ state: 'error', output: { error: `${NOT_RUN_MARK} another call.` } }, 'not run', 'not run'],
  [{ state: 'a-state-of-tomorrow' }, perhaps, perhaps],
]

test.each(rows)('%j: behind the gate %s; on a server %s', (members, local, server) => {
  const part = { id: 'c1', name: 'create_ticket', arguments: '{"a":1}', state: '', ...members }
  const words = (['local', 'server'] as const).map((executor) => {
    const view = viewOfPart({ tools: { create_ticket: { executor } }, defaultExecutor: 'server' }, part)
    return view && labelOf(view)
  })
  expect(words).toEqual([`create_ticket — ${local}`, `create_ticket — ${server}`])
})

test('behind the gate an open input of a tool of the page was never handed to it', () => {
  const registry = { tools: { create_ticket: { executor: 'host' } }, defaultExecutor: 'server' } as const
  const open = { id: 'c1', name: 'create_ticket', arguments: '{"a', state: 'input-streaming' }
  const words = (part: ToolCallRenderProps, gated: boolean) => {
    const view = viewOfPart(registry, part, gated)
    return view && labelOf(view)
  }
  expect(words(open, true)).toBe(`create_ticket — ${closed}`)
  expect(words(open, false)).toBe(`create_ticket — ${perhaps}`)
  expect(words({ ...open, arguments: '{}', state: 'input-complete' }, true)).toBe(`create_ticket — ${perhaps}`)
})
