import { useContext, useInsertionEffect } from 'react'
import { type Catalogue, labelOf } from '../core/labels.ts'
import { noticeSentences } from '../core/notice.ts'
import type { CallView } from '../core/view.ts'
import type { ToolCallStore } from '../store/create-store.ts'
import type { Publication } from '../store/publisher.ts'
import { ToolCallContext } from './context.ts'

// Above this many at once a summary is spoken: a list of labels is longer than anybody listens.
const MOST_LABELS = 3

// What was said a while ago is of no use to whoever comes upon the region while reading the page.
const MOST_ANNOUNCEMENTS = 3

/** Which calls ask a person now that did not before. */
function questionsOf({ calls }: Publication, catalogue: Catalogue): readonly string[] {
  const asking = calls.filter(({ before, call }) => isAsking(call) && (before === null || !isAsking(before)))
  return asking.map(({ call }) => labelOf(call, catalogue))
}

/** What is to be said of a publication; nothing where nothing changed that anybody has to hear. Transitions only, never fragments. */
function announcementOf({ calls, turns }: Publication, catalogue: Catalogue): readonly string[] {
  const settled = calls.filter(({ before, call }) => call.phase === 'settled' && !saysTheSame(before, call, catalogue))
  const labels = settled.map(({ call }) => labelOf(call, catalogue))
  return [
    ...(labels.length > MOST_LABELS ? [summary(settled, catalogue)] : labels),
    ...turns.flatMap(({ before, turn }) => {
      if (turn.notice === null || turn.notice.stopped === null) return []
      // A result that comes late makes the note say what the label said before: no news to whoever heard that.
      if (before.ending === turn.ending && before.notice !== null) return []
      return noticeSentences({ ...turn.notice, notRun: [], mayHaveRun: [] }, catalogue)
    }),
  ]
}

function saysTheSame(before: CallView | null, call: CallView, catalogue: Catalogue): boolean {
  return before?.phase === 'settled' && labelOf(before, catalogue) === labelOf(call, catalogue)
}

function isAsking(call: CallView): boolean {
  return call.phase === 'waiting' && call.on === 'person'
}

function summary(settled: Publication['calls'], catalogue: Catalogue): string {
  const words = catalogue.announcer
  const count = { done: 0, ran: 0, failed: 0, notRun: 0, mayHaveRun: 0 }
  for (const { call } of settled) {
    if (call.phase !== 'settled') continue
    const { ran, cause } = call.settled
    if (ran === 'no') count.notRun++
    else if (ran === 'unknown') count.mayHaveRun++
    else if (cause === 'not-ok' || cause === 'late-not-ok') count.failed++
    else if (cause === 'unreadable') count.ran++
    else count.done++
  }
  const parts = (['done', 'ran', 'failed', 'notRun', 'mayHaveRun'] as const)
    .filter((word) => count[word] > 0)
    .map((word) => words[word].replace('{count}', String(count[word])))
  return words.many.replace('{count}', String(settled.length)).replace('{parts}', parts.join(', '))
}

interface Announcer {
  holders: number
  readonly stop: () => void
}

const announcers = new WeakMap<ToolCallStore, Announcer>()

/** Keeps the regions of this store on the page as long as anything of it is shown: a polite one, and one for questions. */
export function useAnnouncer(store: ToolCallStore): void {
  const { announce, catalogue } = useContext(ToolCallContext)
  // With what is drawn, not some time after it: what settles in between would not be spoken. Unlike a layout effect it
  // is no cause for complaint on a server.
  useInsertionEffect(() => (announce === 'shared' ? hold(store, catalogue) : undefined), [store, announce, catalogue])
}

function hold(store: ToolCallStore, catalogue: Catalogue): () => void {
  const announcer = announcers.get(store) ?? start(store, catalogue)
  announcers.set(store, announcer)
  announcer.holders++
  return () => {
    announcer.holders--
    if (announcer.holders > 0) return
    announcers.delete(store)
    announcer.stop()
  }
}

function start(store: ToolCallStore, catalogue: Catalogue): Announcer {
  const polite = addRegion('status')
  // A question holds everything up: it is not kept until the reply has been read out.
  const assertive = addRegion('alert')
  const unsubscribe = store.subscribe((publication) => {
    say(polite, announcementOf(publication, catalogue))
    say(assertive, questionsOf(publication, catalogue))
  })
  return {
    holders: 0,
    stop() {
      unsubscribe()
      polite.remove()
      assertive.remove()
    },
  }
}

// Outside the host's own tree: a region inside a log is spoken twice, one inside a list that is virtualised not at all,
// and it has to be there before its text is.
function addRegion(role: 'status' | 'alert'): HTMLElement {
  const region = document.createElement('div')
  region.setAttribute('role', role)
  // Announcements are added and spoken each by itself: of two that replaced each other within a frame the first was lost.
  region.setAttribute('aria-atomic', 'false')
  region.className = 'htc-announcer'
  document.body.append(region)
  return region
}

function say(region: HTMLElement, sentences: readonly string[]): void {
  if (sentences.length === 0) return
  // A new node each time, so that the same sentence is spoken again.
  const announcement = document.createElement('div')
  for (const sentence of sentences) {
    const paragraph = document.createElement('p')
    paragraph.textContent = sentence
    announcement.append(paragraph, ' ')
  }
  region.append(announcement)
  if (region.childElementCount > MOST_ANNOUNCEMENTS) region.firstElementChild?.remove()
}
