import type { ReactNode } from 'react'
import type { Preview } from '../core/preview.ts'

/** Arguments for the eye: as text, whatever they look like. */
export function ArgumentRows({ rows }: { readonly rows: Preview }): ReactNode {
  const [first] = rows
  if (first === undefined) return null
  // Free text, or a document that is no object: there is one value and nothing to call it.
  if (first.path === '' && rows.length === 1) {
    return (
      <p className="htc-value" dir="auto" data-settled={first.settled}>
        {first.text}
      </p>
    )
  }
  return (
    <dl className="htc-rows">
      {rows.map(({ path, text, settled }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are only ever added at the end, and two names may look the same once neutralised.
        <div key={place} className="htc-row" data-settled={settled}>
          <dt dir="auto">{path}</dt>
          <dd className="htc-value" dir="auto">
            {text}
          </dd>
        </div>
      ))}
    </dl>
  )
}
