import { createToolCallStore } from '../dist/core.js'

// The machine's time, but no timers: they would keep the process waiting for deadlines that nobody measures.
const clock = { now: Date.now, after: () => () => {} }

// How many fragments one read of the network brings.
const READ = 16

/** The least that anybody can do with fragments. */
export function floor(fragments) {
  let text = ''
  for (const fragment of fragments) text += fragment
  return JSON.parse(text)
}

/** A store whose publications wait for `flush()`. */
export function newStore() {
  return createToolCallStore({ tools: { create_ticket: { executor: 'local' } }, clock, frame: () => () => {} })
}

let calls = 0

/** Announces a call, and returns the ways to go on with it. */
export function announce(store, turnId) {
  const stream = store.openStream({ turnId })
  const key = `key-${calls++}`
  stream.push({ type: 'message-started' })
  stream.push({ type: 'call-announced', key, callId: key, name: 'create_ticket' })
  return {
    /** As `pump` does it: one look at the clock for each read. */
    ingest(fragments) {
      let at = 0
      for (let place = 0; place < fragments.length; place++) {
        if (place % READ === 0) at = stream.touch()
        stream.push({ type: 'call-fragment', key, text: fragments[place] }, at)
      }
    },
    /** As the events of an SDK come: one by one, a look at the clock for each. */
    ingestOneByOne(fragments) {
      for (const text of fragments) stream.push({ type: 'call-fragment', key, text })
    },
    /** As a page does that shows every frame of a stream of about 200 fragments a second. */
    ingestAndShow(fragments) {
      let rows = 0
      for (let place = 0; place < fragments.length; place++) {
        stream.push({ type: 'call-fragment', key, text: fragments[place] })
        if (place % 3 !== 2) continue
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

/** A whole call in a store of its own, from its announcement to its strict parse. */
export function wholeCall(way, fragments) {
  const call = announce(newStore())
  call[way](fragments)
  call.end()
}

/** A store with this many settled calls: all of one turn, which is returned to go on in, or each of its own. */
export function storeWithSettledCalls(count, { inOneTurn }) {
  const store = newStore()
  let turnId
  for (let number = 0; number < count; number++) {
    const stream = store.openStream({ turnId })
    if (inOneTurn) turnId = stream.turnId
    const key = `old-${number}`
    stream.push({ type: 'call-announced', key, callId: key, name: 'search' })
    stream.push({ type: 'call-returned', key, ok: true })
    stream.push({ type: 'message-ended', reason: 'natural', finishesOpenCalls: true })
    stream.end()
  }
  store.flush()
  return { store, turnId }
}
