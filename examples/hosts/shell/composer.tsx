import { type ReactNode, useState } from 'react'

interface ComposerProps {
  /** Whether the host says that a reply is on its way. */
  readonly busy: boolean
  readonly send: (text: string) => void
  readonly stop: () => void
  /** Asks for the last reply once more; only where the host can. */
  readonly regenerate?: () => void
  /** Takes up a reply whose connection was lost; only where the host can. */
  readonly resume?: () => void
}

/** A text box, and what can be done with a reply. */
export function Composer({ busy, send, stop, regenerate, resume }: ComposerProps): ReactNode {
  const [text, setText] = useState('Checkout is down. Please open a ticket.')
  return (
    <form
      className="composer"
      data-busy={busy}
      onSubmit={(event) => {
        event.preventDefault()
        send(text)
      }}
    >
      <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
      <button type="submit">Send</button>
      <Button label="Stop" press={stop} />
      {regenerate && <Button label="Regenerate" press={regenerate} />}
      {resume && <Button label="Resume" press={resume} />}
    </form>
  )
}

function Button({ label, press }: { readonly label: string; readonly press: () => void }): ReactNode {
  return (
    <button type="button" onClick={press}>
      {label}
    </button>
  )
}
