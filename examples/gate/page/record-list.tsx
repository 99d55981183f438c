import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { ScrollingList } from '../../chat/page/scrolling-list.tsx'
import type { Records } from './records.ts'

/** One line for each outcome, as an application would write them to its log, and what is counted. */
export function RecordList({ records }: { readonly records: Records }): ReactNode {
  const { lines, figures } = useStore(records.shown)
  return (
    <section className="records" aria-labelledby="records-heading">
      <h2 id="records-heading">Records</h2>
      <dl>
        {Object.entries(figures).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {lines.length === 0 && <p className="empty">No call has settled since the page was opened.</p>}
      <ScrollingList className="lines" labelledBy="records-heading">
        {lines.map(({ record, text }) => (
          <li key={record.id}>{text}</li>
        ))}
      </ScrollingList>
    </section>
  )
}
