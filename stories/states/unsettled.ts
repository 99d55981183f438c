import type { CallView, WaitsOn } from '../../src/core.ts'
import { HALF, WHOLE } from './scene.ts'
import { SERVER, type State } from './state.ts'

/** Every phase before a call has settled; a waiting one by whom it waits for. */
export const unsettled = {
  preparing: {
    words: 'Preparing create_ticket…',
    notice: null,
    reach: (scene) => scene.begin(HALF),
  },
  gate: {
    words: 'create_ticket — waiting to run',
    notice: null,
    reach(scene) {
      scene.begin(WHOLE)
      scene.finish()
      scene.endMessage('natural')
    },
  },
  person: {
    words: 'create_ticket — waiting for your approval',
    notice: null,
    reach(scene) {
      scene.begin(WHOLE)
      scene.push({ type: 'approval-requested', key: 'a' })
      scene.finish()
      scene.endMessage('natural')
    },
  },
  result: {
    words: 'create_ticket — sent, waiting for the result',
    notice: null,
    options: SERVER,
    reach(scene) {
      scene.begin(WHOLE)
      scene.finish()
    },
  },
  resume: {
    words: 'create_ticket — reconnecting…',
    notice: null,
    options: SERVER,
    reach(scene) {
      scene.begin(HALF)
      scene.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' }, { resumable: true })
    },
  },
  running: {
    words: 'Running create_ticket…',
    notice: null,
    options: SERVER,
    reach(scene) {
      scene.begin(WHOLE)
      scene.finish()
      scene.push({ type: 'call-dispatched', key: 'a' })
    },
  },
} as const satisfies Record<Exclude<CallView['phase'], 'settled' | 'waiting'> | WaitsOn, State>
