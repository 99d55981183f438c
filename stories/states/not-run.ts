import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { CauseNo } from '../../src/index.ts'
import { CALL, HALF, WHOLE } from './scene.ts'
import type { State } from './state.ts'

const needsAssignee: StandardSchemaV1 = {
  '~standard': {
    version: 1,
    vendor: 'stories',
    validate: () => ({ issues: [{ message: 'Required', path: ['assignee'] }] }),
  },
}

/** Every cause for which a call is known not to have run. */
export const notRun = {
  'connection-lost': {
    words: 'create_ticket — not run (connection lost)',
    notice: 'Not run: create_ticket.',
    reach(scene) {
      scene.begin(HALF)
      scene.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
    },
  },
  'ended-early': {
    words: 'create_ticket — not run (the response ended early)',
    notice: 'Not run: create_ticket.',
    reach(scene) {
      scene.begin(HALF)
      scene.end()
    },
  },
  truncated: {
    words: 'create_ticket — not run (the request was cut short)',
    notice: 'Not run: create_ticket.',
    reach(scene) {
      scene.begin(HALF)
      scene.endMessage('length')
      scene.end()
    },
  },
  filtered: {
    words: 'create_ticket — not run (stopped by a content filter)',
    notice: 'Not run: create_ticket.',
    reach(scene) {
      scene.begin(HALF)
      scene.endMessage('filter')
      scene.end()
    },
  },
  unparseable: {
    words: 'create_ticket — not run (the request was unreadable)',
    notice: 'Not run: create_ticket.',
    reach(scene) {
      scene.begin(HALF)
      scene.finish()
      scene.endMessage('natural')
      scene.end()
    },
  },
  'invalid-arguments': {
    words: 'create_ticket — not run (the details were not valid)',
    notice: 'Not run: create_ticket.',
    options: { tools: { create_ticket: { executor: 'local', schema: needsAssignee } } },
    reach(scene) {
      scene.begin(WHOLE)
      scene.finish()
      scene.endMessage('natural')
      scene.end()
    },
  },
  'rejected-by-rule': {
    words: 'create_ticket — not run (rejected by a rule)',
    notice: 'Not run: create_ticket.',
    options: { tools: { create_ticket: { executor: 'local', check: () => 'Only on-call may file urgent tickets.' } } },
    reach(scene) {
      scene.begin(WHOLE)
      scene.finish()
      scene.endMessage('natural')
      scene.end()
    },
  },
  'unknown-tool': {
    words: 'create_ticket — not run (no such tool)',
    notice: 'Not run: create_ticket.',
    options: { tools: {}, defaultExecutor: 'local' },
    reach(scene) {
      scene.begin(WHOLE)
      scene.finish()
      scene.endMessage('natural')
      scene.end()
    },
  },
  'provider-error': {
    words: 'create_ticket — not run (the service reported an error)',
    notice: 'Not run: create_ticket.',
    reach(scene) {
      scene.begin(HALF)
      scene.end({ type: 'lost', how: 'provider-error', speaker: 'model', detail: 'overloaded_error' })
    },
  },
  'held-back': {
    words: 'create_ticket — not run (another call had a problem)',
    notice: 'Not run: create_ticket, set_tags.',
    options: { tools: { create_ticket: { executor: 'local' }, set_tags: { executor: 'local' } } },
    reach(scene) {
      scene.begin(WHOLE)
      scene.finish()
      scene.push({ type: 'call-announced', key: 'b', callId: 'toolu_2', name: 'set_tags' })
      scene.push({ type: 'call-fragment', key: 'b', text: '{"tags":["disk"' })
      scene.push({ type: 'call-finished', key: 'b' })
      scene.endMessage('natural')
      scene.end()
    },
  },
  declined: {
    words: 'create_ticket — not run (you declined)',
    notice: null,
    reach(scene) {
      scene.begin(WHOLE)
      scene.push({ type: 'approval-requested', key: 'a' })
      scene.finish()
      scene.endMessage('natural')
      scene.end()
      scene.store.answerApproval(CALL, { granted: false })
    },
  },
  'declined-by-policy': {
    words: 'create_ticket — not run (blocked by policy)',
    notice: 'Not run: create_ticket.',
    reach(scene) {
      scene.begin(WHOLE)
      scene.push({ type: 'approval-requested', key: 'a' })
      scene.finish()
      scene.endMessage('natural')
      scene.end()
      scene.store.answerApproval(CALL, { granted: false, by: 'policy' })
    },
  },
  'approval-expired': {
    words: 'create_ticket — not run (approval timed out)',
    notice: 'Not run: create_ticket.',
    reach(scene) {
      scene.begin(WHOLE)
      scene.push({ type: 'approval-requested', key: 'a' })
      scene.finish()
      scene.endMessage('natural')
      scene.end()
      scene.store.answerApproval(CALL, { granted: false, by: 'expiry' })
    },
  },
  withdrawn: {
    words: 'create_ticket — not run (withdrawn)',
    notice: 'Not run: create_ticket.',
    reach(scene) {
      scene.begin(HALF)
      scene.push({ type: 'call-withdrawn', key: 'a' })
      scene.endMessage('natural')
      scene.end()
    },
  },
  'not-started': {
    words: 'create_ticket — not run (never started)',
    notice: 'Not run: create_ticket.',
    reach(scene) {
      scene.begin(WHOLE)
      scene.finish()
      scene.endMessage('natural')
      scene.end()
      scene.clock.advance(10_000)
    },
  },
  reloaded: {
    words: 'create_ticket — not run (the page was closed)',
    notice: 'Not run: create_ticket.',
    reach(scene) {
      scene.begin(HALF)
      scene.reload()
    },
  },
  unrecognised: {
    words: 'create_ticket — not run',
    notice: 'Not run: create_ticket. The reply stopped here.',
    reach(scene) {
      scene.begin(WHOLE)
      scene.finish()
      scene.endMessage('unknown')
      scene.end()
    },
  },
  cancelled: {
    words: 'create_ticket — cancelled',
    notice: 'Not run: create_ticket.',
    reach(scene) {
      scene.begin(HALF)
      scene.store.cancel(scene.turnId)
    },
  },
} as const satisfies Record<CauseNo, State>
