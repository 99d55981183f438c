import type { CauseYes } from '../../src/index.ts'
import { CALL, HALF, WHOLE } from './scene.ts'
import { SERVER, type State } from './state.ts'

/** Every way a call that ran can be known to have gone. */
export const ran = {
  ok: {
    words: 'create_ticket — done',
    notice: null,
    options: SERVER,
    reach(scene) {
      scene.begin(WHOLE)
      scene.finish()
      scene.endMessage('natural')
      scene.push({ type: 'call-returned', key: 'a', ok: true })
      scene.end()
    },
  },
  'not-ok': {
    words: 'create_ticket — ran and failed',
    notice: null,
    options: SERVER,
    reach(scene) {
      scene.begin(WHOLE)
      scene.finish()
      scene.endMessage('natural')
      scene.push({ type: 'call-returned', key: 'a', ok: false })
      scene.end()
    },
  },
  late: {
    words: 'create_ticket — done (result arrived late)',
    notice: 'The reply stopped here (you stopped it).',
    options: SERVER,
    reach(scene) {
      scene.begin(HALF)
      scene.end({ type: 'cancelled', by: 'user', acknowledged: true })
      scene.store.settle({ ...CALL, name: 'create_ticket', ran: 'yes', ok: true })
    },
  },
  'late-not-ok': {
    words: 'create_ticket — ran and failed (result arrived late)',
    notice: 'The reply stopped here (you stopped it).',
    options: SERVER,
    reach(scene) {
      scene.begin(HALF)
      scene.end({ type: 'cancelled', by: 'user', acknowledged: true })
      scene.store.settle({ ...CALL, name: 'create_ticket', ran: 'yes', ok: false })
    },
  },
  unreadable: {
    words: 'create_ticket — ran (result unreadable)',
    notice: null,
    options: SERVER,
    reach(scene) {
      scene.begin(WHOLE)
      scene.finish()
      scene.endMessage('natural')
      scene.store.settle({ ...CALL, name: 'create_ticket', ran: 'yes' })
      scene.end()
    },
  },
} as const satisfies Record<CauseYes, State>
