import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { Log, LogEntry } from './log.ts'
import { ScrollingList } from './scrolling-list.tsx'

/** What happened, for the eye. Nothing here is read aloud by itself: the kit announces what matters. */
export function EventLog({ log }: { readonly log: Log }): ReactNode {
  const entries = useStore(log.entries)
  return (
    <section className="log" aria-labelledby="log-heading">
      <h2 id="log-heading">Events</h2>
      <ScrollingList className="entries" labelledBy="log-heading">
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} />
        ))}
      </ScrollingList>
    </section>
  )
}

function Row({ entry: { at, source, text, repeats, characters } }: { readonly entry: LogEntry }): ReactNode {
  return (
    <li data-source={source}>
      <span className="time">{(at / 1_000).toFixed(2)}</span>
      <span className="source">{source}</span>
      <span className="text">
        {text}
        {characters > 0 && ` ×${repeats}, ${characters} characters`}
      </span>
    </li>
  )
}
