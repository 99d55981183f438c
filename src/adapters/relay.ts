import type { CallKey, Ending, Loss, StopReason } from '../core/events.ts'
import type { Json } from '../core/json.ts'
import type { Adapter, Emit, WireReader } from './adapter.ts'
import { sse } from './sse.ts'
import { object, present, table, text, type WireObject } from './wire-values.ts'

/**
 * What `createRelay` of `honest-tool-calls/server` sends. Its numbers for messages and calls are its own. Reports are not
 * among these: they come as an event `tool-call-outcome`, as on any wire.
 */
export type RelayFrame =
  /** Every response begins with it. Another log is another turn of the server: its numbers mean other calls. */
  | { readonly type: 'log-opened'; readonly log: string }
  | { readonly type: 'message-started'; readonly message: number; readonly messageId?: string | undefined }
  | { readonly type: 'text-fragment'; readonly message: number; readonly text: string }
  | {
      /** For a call that is known and still prepared: its arguments begin anew. */
      readonly type: 'call-announced'
      readonly call: number
      readonly message: number
      readonly callId: string
      readonly name?: string | undefined
      readonly executor?: 'provider' | undefined
      readonly encoding?: 'text' | undefined
    }
  | { readonly type: 'call-identified'; readonly call: number; readonly name: string }
  | { readonly type: 'call-fragment'; readonly call: number; readonly text: string }
  | { readonly type: 'call-snapshot'; readonly call: number; readonly text: string }
  | { readonly type: 'call-snapshot'; readonly call: number; readonly value: Json }
  | {
      readonly type: 'call-leaf'
      readonly call: number
      readonly path: readonly (string | number)[]
      readonly value: Json
      readonly continues: boolean
    }
  | { readonly type: 'call-finished' | 'call-dispatched' | 'approval-requested'; readonly call: number }
  | { readonly type: 'approval-answered'; readonly call: number; readonly granted: boolean }
  | {
      readonly type: 'message-ended'
      readonly message: number
      readonly reason: StopReason | null
      readonly rawReason?: string | undefined
    }
  /** The server goes on, whatever the model or a tool of it is silent about. */
  | { readonly type: 'alive' }
  /** Nothing more comes of this turn. */
  | { readonly type: 'turn-ended'; readonly ending: Ending }

/**
 * A turn that a server runs, as `honest-tool-calls/server` tells it. Frames are numbered: after a reconnection those that
 * were read before change nothing, so that the server may tell all of it again.
 */
export const relay: Adapter = { format: 'relay', speaker: 'executor', framer: sse, reader }

type Type = RelayFrame['type']

const TYPES = table<true>({
  'log-opened': true,
  'message-started': true,
  'text-fragment': true,
  'call-announced': true,
  'call-identified': true,
  'call-fragment': true,
  'call-snapshot': true,
  'call-leaf': true,
  'call-finished': true,
  'call-dispatched': true,
  'approval-requested': true,
  'approval-answered': true,
  'message-ended': true,
  alive: true,
  'turn-ended': true,
} satisfies Record<Type, true>)

const REASONS = table<StopReason>({
  natural: 'natural',
  length: 'length',
  filter: 'filter',
  malformed: 'malformed',
  error: 'error',
  paused: 'paused',
  cancelled: 'cancelled',
  unknown: 'unknown',
} satisfies Record<StopReason, StopReason>)

const LOSSES = table<Loss>({
  'connection-lost': 'connection-lost',
  idle: 'idle',
  'ended-early': 'ended-early',
  'provider-error': 'provider-error',
  reloaded: 'reloaded',
} satisfies Record<Loss, Loss>)

function reader(): WireReader {
  let over = false
  let log: unknown
  // The number of the last frame that was read of this log.
  let last = 0
  let logs = 0
  let minted = 0
  const calls = new Map<unknown, CallKey>()

  /** Named, so that a message goes on where it was when its stream was lost. */
  const messageKey = (message: unknown): string => `message-${logs}.${typeof message === 'number' ? message : 0}`

  function announce({ call, message, callId, name, executor, encoding }: WireObject, emit: Emit): void {
    if (typeof call !== 'number') return
    const key = calls.get(call) ?? `call-${++minted}`
    calls.set(call, key)
    emit({
      type: 'call-announced',
      key,
      message: messageKey(message),
      ...present({ callId: text(callId), name: text(name) }),
      ...(executor === 'provider' ? { executor } : {}),
      ...(encoding === 'text' ? { encoding } : {}),
    })
  }

  function readOfCall(wire: WireObject, key: CallKey, emit: Emit): void {
    const words = text(wire.text)
    switch (wire.type as Type) {
      case 'call-identified': {
        const name = text(wire.name)
        if (name !== undefined) emit({ type: 'call-identified', key, name })
        return
      }
      case 'call-fragment':
        if (words !== undefined) emit({ type: 'call-fragment', key, text: words })
        return
      case 'call-snapshot':
        if (words !== undefined) emit({ type: 'call-snapshot', key, text: words })
        else if (wire.value !== undefined) emit({ type: 'call-snapshot', key, value: wire.value as Json })
        return
      case 'call-leaf':
        if (isPath(wire.path) && wire.value !== undefined)
          emit({
            type: 'call-leaf',
            key,
            path: wire.path,
            value: wire.value as Json,
            continues: wire.continues === true,
          })
        return
      case 'call-finished':
      case 'call-dispatched':
      case 'approval-requested':
        emit({ type: wire.type as 'call-finished', key })
        return
      case 'approval-answered':
        emit({ type: 'approval-answered', key, granted: wire.granted === true, by: 'person' })
        return
      default:
    }
  }

  return {
    open() {
      over = false
    },
    read(event, emit) {
      const wire = object(event)
      if (!TYPES.has(wire.type)) return false
      if (over) return true
      switch (wire.type as Type) {
        case 'log-opened':
          if (wire.log === log) return true
          log = wire.log
          logs++
          last = 0
          calls.clear()
          return true
        case 'alive':
          // Says nothing, and is heard: while a correction is thought about nothing else comes for minutes.
          emit({ type: 'text-fragment', text: '' })
          return true
        case 'turn-ended':
          over = true
          emit({ type: 'stream-ended', ending: endingOf(wire.ending) })
          return true
        default:
      }
      if (typeof wire.seq === 'number') {
        if (wire.seq <= last) return true
        last = wire.seq
      }
      const message = messageKey(wire.message)
      if (wire.type === 'message-started')
        emit({ type: 'message-started', message, ...present({ messageId: text(wire.messageId) }) })
      else if (wire.type === 'text-fragment') emit({ type: 'text-fragment', message, text: text(wire.text) ?? '' })
      else if (wire.type === 'message-ended') {
        const reason = wire.reason === null ? null : (REASONS.get(wire.reason) ?? 'unknown')
        const rawReason = text(wire.rawReason)
        emit({ type: 'message-ended', message, reason, finishesOpenCalls: false, ...present({ rawReason }) })
      } else if (wire.type === 'call-announced') announce(wire, emit)
      else {
        const key = calls.get(wire.call)
        if (key !== undefined) readOfCall(wire, key, emit)
      }
      return true
    },
  }
}

function isPath(value: unknown): value is readonly (string | number)[] {
  return Array.isArray(value) && value.every((step) => typeof step === 'string' || typeof step === 'number')
}

/** The server's own words on how its turn ended; what cannot be read proves nothing. */
function endingOf(value: unknown): Ending {
  const { type, by, how } = object(value)
  if (type === 'complete') return { type, speaker: 'executor' }
  if (type === 'cancelled') return { type, by: by === 'user' ? 'user' : 'host', acknowledged: true }
  const loss = LOSSES.get(how)
  return { type: 'lost', how: loss ?? 'ended-early', speaker: loss === undefined ? 'nobody' : 'executor' }
}
