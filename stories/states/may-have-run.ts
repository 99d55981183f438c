import type { CauseUnknown } from '../../src/index.ts'
import { CALL, HALF, WHOLE } from './scene.ts'
import { SERVER, type State } from './state.ts'

/** Every cause for which nobody here knows whether a call ran. */
export const mayHaveRun = {
  'connection-lost': {
    words: 'create_ticket — may have run (connection lost)',
    notice: 'May have run: create_ticket.',
    options: SERVER,
    reach(scene) {
      scene.begin(HALF)
      scene.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
    },
  },
  'ended-early': {
    words: 'create_ticket — may have run (the response ended early)',
    notice: 'May have run: create_ticket.',
    options: SERVER,
    reach(scene) {
      scene.begin(HALF)
      scene.end()
    },
  },
  'provider-error': {
    words: 'create_ticket — may have run (the service reported an error)',
    notice: 'May have run: create_ticket.',
    options: SERVER,
    reach(scene) {
      scene.begin(HALF)
      scene.end({ type: 'lost', how: 'provider-error', speaker: 'relay' })
    },
  },
  cancelled: {
    words: 'create_ticket — may have run (cancelled)',
    notice: 'May have run: create_ticket.',
    options: SERVER,
    reach(scene) {
      scene.begin(HALF)
      scene.store.cancel(scene.turnId)
    },
  },
  truncated: {
    words: 'create_ticket — may have run (the response was cut short)',
    notice: 'May have run: create_ticket.',
    options: SERVER,
    reach(scene) {
      scene.begin(HALF)
      scene.endMessage('length')
      scene.end()
    },
  },
  filtered: {
    words: 'create_ticket — may have run (stopped by a content filter)',
    notice: 'May have run: create_ticket.',
    options: SERVER,
    reach(scene) {
      scene.begin(HALF)
      scene.endMessage('filter')
      scene.end()
    },
  },
  withdrawn: {
    words: 'create_ticket — may have run (withdrawn)',
    notice: 'May have run: create_ticket.',
    options: SERVER,
    reach(scene) {
      scene.begin(WHOLE)
      scene.finish()
      scene.push({ type: 'call-withdrawn', key: 'a' })
      scene.endMessage('natural')
      scene.end()
    },
  },
  reloaded: {
    words: 'create_ticket — may have run (the page was closed)',
    notice: 'May have run: create_ticket.',
    options: SERVER,
    reach(scene) {
      scene.begin(HALF)
      scene.reload()
    },
  },
  'no-result': {
    words: 'create_ticket — may have run (no result received)',
    notice: 'May have run: create_ticket.',
    options: SERVER,
    reach(scene) {
      scene.begin(WHOLE)
      scene.finish()
      scene.endMessage('natural')
      scene.end()
    },
  },
  'timed-out': {
    words: 'create_ticket — may have run (timed out)',
    notice: 'May have run: create_ticket.',
    reach(scene) {
      scene.begin(WHOLE)
      scene.finish()
      scene.endMessage('natural')
      scene.end()
      scene.store.dispatched(CALL)
      scene.clock.advance(300_000)
    },
  },
  'tool-error': {
    words: 'create_ticket — may have run (an error was reported)',
    notice: 'May have run: create_ticket.',
    options: SERVER,
    reach(scene) {
      scene.begin(WHOLE)
      scene.finish()
      scene.endMessage('natural')
      scene.store.settle({ ...CALL, name: 'create_ticket', ran: 'unknown', cause: 'tool-error' })
      scene.end()
    },
  },
  unrecognised: {
    words: 'create_ticket — may have run',
    notice: 'May have run: create_ticket. The reply stopped here.',
    options: SERVER,
    reach(scene) {
      scene.begin(HALF)
      scene.endMessage('malformed')
      scene.end()
    },
  },
} as const satisfies Record<CauseUnknown, State>
