import type { CallKey, StreamEvent } from '../core/events.ts'
import { isRecord } from '../core/json.ts'
import type { Emit } from './adapter.ts'
import { CALL_ITEMS, type CallType, type Item } from './openai-responses-items.ts'
import { present, text } from './wire-values.ts'

/** A call of the current response, as far as the wire has told. */
export interface ResponseCall {
  readonly key: CallKey
  readonly executor: 'provider' | undefined
  readonly callId: string | undefined
  readonly name: string | undefined
  type: CallType
  /** The events told of it, `added` for its `output_item.added` and `whole` for its input's own `done`. */
  readonly told: Set<StreamEvent['type'] | 'added' | 'whole'>
}

/** The calls of one response, under whatever the wire names them by. */
export interface ResponseCalls {
  readonly all: Set<ResponseCall>
  /** The calls that wait for a person, by approval id. They go on as an item of a later response. */
  readonly waiting: Map<unknown, ResponseCall>
  /** A new response begins. */
  clear(): void
  /** The call of an item, or of as much of one as an event gives; announced or identified as far as that allows. */
  see(type: CallType, item: Item, index: unknown, added?: boolean): ResponseCall
  /** The call that an item of results belongs to: by `call_id`, which hosted tool search leaves `null`. */
  answered(callId: string | undefined): ResponseCall | undefined
  tell(call: ResponseCall, type: StreamEvent['type'], members?: object): void
  /** As `tell`, but at most once for each call, however often the wire says it. */
  tellOnce(call: ResponseCall, type: StreamEvent['type'], members?: object): void
}

/** Made once for each reader, as keys are unique in the whole turn. */
export function responseCalls(emit: Emit): ResponseCalls {
  const all = new Set<ResponseCall>()
  const waiting = new Map<unknown, ResponseCall>()
  const byId = new Map<unknown, ResponseCall>() // item ids and call ids
  const byIndex = new Map<unknown, ResponseCall>()
  let minted = 0

  const tell: ResponseCalls['tell'] = (call, type, members = {}) => {
    call.told.add(type)
    emit({ type, key: call.key, ...present(members) } as StreamEvent)
  }

  function find(type: CallType, ids: readonly unknown[], index: unknown): ResponseCall | undefined {
    const [id, callId] = ids
    const known = byId.get(id) ?? byId.get(callId)
    if (known?.type === type) return known
    const there = byIndex.get(index)
    return there?.type === type && (callId ?? there.callId) === (there.callId ?? callId) ? there : undefined
  }

  return {
    all,
    waiting,
    tell,
    tellOnce(call, type, members) {
      if (!call.told.has(type)) tell(call, type, members)
    },
    clear() {
      all.clear()
      byId.clear()
      byIndex.clear()
    },
    see(type, item, index, added = false) {
      const { provider, named, encoding } = CALL_ITEMS[type]
      const { execution, environment, approval_request_id: approvalId } = item
      const ids = [text(item.id), text(item.call_id)] as const
      // An `added` item is not the one before it at its index: behind some proxies all are at 0.
      let call = find(type, ids, added ? undefined : index) ?? waiting.get(approvalId)
      if (call === undefined) {
        const hosted = provider || execution === 'server' || (isRecord(environment) && environment.container_id)
        const executor = hosted ? 'provider' : undefined
        call = { key: `call-${++minted}`, executor, callId: undefined, name: undefined, type, told: new Set() }
      } else if (waiting.delete(approvalId)) {
        tell(call, 'approval-answered', { approvalId, granted: true, by: 'person' })
      }
      const { executor, told } = call
      const callId = call.callId ?? ids[1] ?? (executor && ids[0])
      const name = call.name ?? (named ? text(item.name) : type.replace('_call', ''))
      // Added once more: the response is read again from its start, and the buffer begins anew.
      if (told.size === 0 || (added && told.has('added') && !told.has('call-finished'))) {
        tell(call, 'call-announced', { callId, name, executor, encoding })
      } else if (callId !== call.callId || name !== call.name) tell(call, 'call-identified', { callId, name })
      Object.assign(call, { type, callId, name })
      if (added) told.add('added')
      all.add(call)
      for (const id of ids) if (id) byId.set(id, call)
      if (index !== undefined) byIndex.set(index, call)
      return call
    },
    answered(callId) {
      const waits = ({ type, told }: ResponseCall) => type === 'tool_search_call' && !told.has('call-returned')
      return callId ? byId.get(callId) : [...all].filter(waits).pop()
    },
  }
}
