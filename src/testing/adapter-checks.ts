import type { Adapter } from '../adapters/adapter.ts'
import { unaccounted } from '../core/balance.ts'
import type { Tools } from '../core/tools.ts'
import { cut } from './cut.ts'
import { eventFault } from './event-faults.ts'
import { broken, GARBAGE, NO_EVENTS } from './garbage.ts'
import { createPlayer, REPLAY_ENDINGS, type ReplayEnding } from './player.ts'
import { type ReplayResult, replay } from './replay.ts'
import { eventsOf, type Frames, framed, idsOf, renamed, textsIn } from './wire-frames.ts'

/** A capture and what its frames are. */
export interface Subject extends Frames {
  readonly adapter: Adapter
  readonly bytes: Uint8Array
  readonly tools: Tools
  readonly ending: ReplayEnding
  readonly expect: readonly string[] | null
}

const SMALL = 20_000
const MOST_PLACES = 200
const MOST_FRAMES = 60

/** The check that only a capture with expected labels has. */
export const EXPECTED = 'its calls end with the labels that are expected'

/** The checks by name. Each says what is wrong; null where nothing is. */
export const CHECKS: Readonly<Record<string, (subject: Subject) => Promise<string | null> | string | null>> = {
  [EXPECTED]: async (subject) => {
    const { calls } = await play(subject, [])
    const labels = JSON.stringify(calls.map(({ label }) => label))
    const expected = JSON.stringify(subject.expect)
    return labels === expected ? null : `the labels are ${labels}, expected were ${expected}.`
  },

  'reads its own frames and no others': ({ adapter, frames }) => {
    const reader = adapter.reader()
    reader.open()
    const taken = NO_EVENTS.filter((event) => reader.read(event, () => {}))
    if (taken.length > 0) return `\`read\` says that ${shown(taken[0])} is of the format.`
    return frames.some((frame) => reader.read(frame, () => {})) ? null : '`read` takes no frame for one of the format.'
  },

  'says only what the vocabulary has': ({ adapter, frames }) => eventFault(eventsOf(adapter, frames).flat()),

  'comes to the same in pieces of one byte': async (subject) => differs(subject, [[...subject.bytes.keys()]]),

  'comes to the same cut in two anywhere': async (subject) => {
    const places = [...subject.bytes.keys()].slice(1)
    return differs(
      subject,
      spread(places, subject.bytes.length < SMALL ? places.length : MOST_PLACES).map((at) => [at]),
    )
  },

  'never throws on what is broken, nor hands it on': ({ adapter, frames }) => {
    const some = frames.slice(0, MOST_FRAMES)
    const damaged = [
      ...GARBAGE.map((event) => ({ place: 0, event })),
      ...some.flatMap((frame, place) => [...GARBAGE, ...broken(frame)].map((event) => ({ place, event }))),
    ]
    for (const { place, event } of damaged) {
      const fault = faultAfter(adapter, [...some.slice(0, place), event, ...some.slice(place + 1)])
      if (fault !== null) return `frame ${place} replaced by ${shown(event)}: ${fault}.`
    }
    return 'polluted' in {} ? 'a frame wrote to the prototype of all objects.' : null
  },

  'leaves no call open wherever and however it ends': async ({ adapter, tools, bytes, frameEnds }) => {
    for (const length of [0, ...spread(frameEnds, bytes.length < SMALL ? frameEnds.length : MOST_FRAMES)]) {
      for (const ending of REPLAY_ENDINGS) {
        const player = createPlayer({ adapter, tools })
        player.feed(bytes.subarray(0, length))
        player.end(ending)
        const where = `broken off after ${length} bytes by ${ending}`
        if (player.stream.ending !== null) await player.stream.ended
        // No silence ends a stream while a person is asked.
        else if (player.store.balance().waiting.person === 0) return `${where}, the stream stays open.`
        else continue
        const balance = player.store.balance()
        if (balance.preparing > 0) return `${where}, a call is still preparing.`
        if (unaccounted(balance) !== 0) return `${where}, a call is not accounted for.`
      }
    }
    return null
  },

  'says nothing after its stream has ended': ({ adapter, bytes }) => {
    // As if the wire went on, so that something does come after the end.
    const events = eventsOf(adapter, framed(adapter, bytes, bytes).frames).flat()
    const end = events.findIndex(({ type }) => type === 'stream-ended')
    const late = end < 0 ? undefined : events[end + 1]
    return late === undefined ? null : `\`${late.type}\` was emitted after \`stream-ended\`. Wait for \`open()\`.`
  },

  'gives every call a key of its own': ({ adapter, frames }) => {
    const calls = new Map<string, { id?: string; name?: string; finished?: true }>()
    for (const event of eventsOf(adapter, frames).flat()) {
      if (event.type === 'call-finished') calls.set(event.key, { ...calls.get(event.key), finished: true })
      if (event.type !== 'call-announced' && event.type !== 'call-identified') continue
      const { key, callId, name } = event
      const { finished, ...known } = calls.get(key) ?? {}
      const again = event.type === 'call-announced' && finished === true && callId === undefined
      if (again || isOther(known.id, callId) || isOther(known.name, name)) {
        return `the key ${JSON.stringify(key)} stands for ${shown(known)} and for ${shown({ id: callId, name })}.`
      }
      calls.set(key, {
        ...known,
        ...(callId === undefined ? {} : { id: callId }),
        ...(name === undefined ? {} : { name }),
      })
    }
    return null
  },

  'never hands on a key to be shown': ({ adapter, frames }) => {
    const events = eventsOf(adapter, frames).flat()
    const keys = new Set(events.flatMap((event) => ('key' in event && event.key !== undefined ? [event.key] : [])))
    const said = new Set(frames.flatMap((frame) => [...textsIn(frame)]))
    for (const event of events) {
      const { callId, name, messageId } = event as { readonly [member: string]: unknown }
      const key = [callId, name, messageId].find((text) => keys.has(text as string) && !said.has(text as string))
      if (key !== undefined) return `\`${event.type}\` gives the key ${shown(key)} as an id or a name.`
    }
    return null
  },

  'mints no key twice in a turn': ({ adapter, frames }) => {
    const ids = new Set(eventsOf(adapter, frames).flat().flatMap(idsOf))
    const again = frames.map((frame) => renamed(frame, ids))
    const [first = [], second = []] = eventsOf(adapter, frames, again)
    const keys = new Set(first.flatMap((event) => (event.type === 'call-announced' ? [event.key] : [])))
    const twice = second.find((event) => event.type === 'call-announced' && keys.has(event.key))
    if (twice !== undefined && 'key' in twice) return `a second stream's call has the key ${shown(twice.key)} again.`
    return first.length > 0 && second.length === 0 ? 'after a second `open()` it says nothing.' : null
  },

  'puts no text and no arguments into a label': async (subject) => {
    const { calls, player } = await play(subject, [])
    const items = player.store.turn(player.turnId)?.getState().items ?? []
    const written = items.flatMap((item) => (item.type === 'text' ? [item.text] : []))
    const given = [...player.buffers.values()].flatMap(({ text }) => [text])
    const secrets = [...written, ...given, ...calls.flatMap(({ args }) => [...textsIn(args)])].filter(
      // What is shorter may well be a part of a name.
      (secret) => secret.length >= 8 && !Object.hasOwn(subject.tools, secret),
    )
    for (const { label, name, cause } of calls) {
      const leak = cause !== null && secrets.find((secret) => label.includes(secret) || name?.includes(secret))
      if (leak) return `the label ${shown(label)} has what the model wrote: ${shown(leak)}.`
    }
    return null
  },
}

function faultAfter(adapter: Adapter, frames: readonly unknown[]): string | null {
  try {
    return eventFault(eventsOf(adapter, frames).flat())
  } catch (error) {
    return `it throws ${String(error)}`
  }
}

function play({ adapter, tools, ending, bytes }: Subject, places: Iterable<number>): Promise<ReplayResult> {
  return replay({ adapter, tools, ending, pieces: cut(bytes, places) })
}

async function differs(subject: Subject, cuts: readonly (readonly number[])[]): Promise<string | null> {
  const whole = await resultOf(subject, [])
  for (const places of cuts) {
    if ((await resultOf(subject, places)) === whole) continue
    const where = places.length === 1 ? `cut at byte ${places[0]}` : 'in pieces of one byte'
    const [labels, others] = [await labelsAt(subject, places), await labelsAt(subject, [])]
    return `${where} it comes to ${labels}, whole to ${others}. Keep what a cut left over, and one decoder per stream.`
  }
  return null
}

/** All that a user, a tool or a record could see at the end. */
async function resultOf(subject: Subject, places: Iterable<number>): Promise<string> {
  const { calls, notice, frames, player } = await play(subject, places)
  const { store, turnId } = player
  const items = store.turn(turnId)?.getState().items
  return JSON.stringify({ calls, notice, frames, items, balance: store.balance(), counts: store.counts() })
}

async function labelsAt(subject: Subject, places: Iterable<number>): Promise<string> {
  const { calls, frames } = await play(subject, places)
  const said = calls.map(({ label, rawLength = 0 }) => `${label}, ${rawLength} characters`)
  return `${JSON.stringify(said)} in ${frames} events`
}

/** At most so many, evenly spread. */
function spread<Item>(items: readonly Item[], most: number): readonly Item[] {
  const step = Math.max(1, items.length / most)
  return items.filter((_, place) => Math.floor(place / step) !== Math.floor((place - 1) / step))
}

function isOther(known: string | undefined, given: string | undefined): boolean {
  return known !== undefined && given !== undefined && known !== given
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 200)
}
