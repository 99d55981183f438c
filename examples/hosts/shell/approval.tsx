import type { ReactNode } from 'react'

/** What a person answers with. */
export function Approval({ answer }: { readonly answer: (granted: boolean) => void }): ReactNode {
  return (
    <p>
      <button type="button" onClick={() => answer(true)}>
        Allow
      </button>{' '}
      <button type="button" onClick={() => answer(false)}>
        Deny
      </button>
    </p>
  )
}
