import { createToolCallStore } from '../dist/core.js'

// The machine's time, but no timers: they would keep the process waiting for deadlines that nobody measures.
const clock = { now: Date.now, after: () => () => {} }

/** The least that anybody can do with fragments. */
export function floor(fragments) {
  let text = ''
  for (const fragment of fragments) text += fragment
  return JSON.parse(text)
}

/** A store whose publications wait for `flush()`. */
export function newStore() {
  const tools = { create_ticket: { executor: 'local' } }
  return createToolCallStore({ tools, clock, frame: () => () => {}, deadlines: { idle: 1e9, quiet: 1e9, staleEvents: 1e9 } })
}

let calls = 0

/** Announces a call and returns what takes its fragments, and what ends its message. */
export function announce(store, turnId) {
  const stream = store.openStream(turnId === undefined ? {} : { turnId })
  const key = `key-${calls++}`
  stream.push({ type: 'message-started' })
  stream.push({ type: 'call-announced', key, callId: key, name: 'create_ticket' })
  return {
    ingest(fragments) {
      for (const text of fragments) stream.push({ type: 'call-fragment', key, text })
    },
    /** As a page does that shows every frame of a stream of about 200 fragments a second. */
    ingestAndShow(fragments) {
      let rows = 0
      for (let at = 0; at < fragments.length; at++) {
        stream.push({ type: 'call-fragment', key, text: fragments[at] })
        if (at % 3 !== 2) continue
        store.flush()
        const view = store.callByKey(stream.turnId, key).getState()
        if (view.phase === 'preparing') rows += view.preview.length
      }
      return rows
    },
    end() {
      stream.push({ type: 'call-finished', key })
      stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: false })
      stream.end()
      store.cancel(stream.turnId)
    },
  }
}

/** A whole call, from its announcement to its strict parse. */
export function ingestAll(fragments) {
  const call = announce(newStore())
  call.ingest(fragments)
  call.end()
}

export function ingestAndShowAll(fragments) {
  const call = announce(newStore())
  const rows = call.ingestAndShow(fragments)
  call.end()
  return rows
}

/** A store in which this many calls are settled, in one turn or each in its own; and the turn to go on in. */
export function storeWithSettledCalls(count, inOneTurn) {
  const store = newStore()
  let turnId
  for (let number = 0; number < count; number += 100) {
    const stream = store.openStream(turnId === undefined || !inOneTurn ? {} : { turnId })
    turnId = stream.turnId
    for (let at = 0; at < (inOneTurn ? 100 : 1); at++) {
      stream.push({ type: 'message-started' })
      stream.push({ type: 'call-announced', key: `old-${number + at}`, callId: `old-${number + at}`, name: 'search' })
      stream.push({ type: 'call-returned', key: `old-${number + at}`, ok: true })
      stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: true })
    }
    stream.end()
    if (!inOneTurn) number -= 99
  }
  store.flush()
  return { store, turnId: inOneTurn ? turnId : undefined }
}
