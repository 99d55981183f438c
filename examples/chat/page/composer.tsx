import { type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import type { Chat } from './chat.ts'

/** The user's message, Send and Stop. Both buttons keep the focus when they have nothing to do. */
export function Composer({ chat }: { readonly chat: Chat }): ReactNode {
  const streaming = useStore(chat.state, (state) => state.streaming !== null)
  const [message, setMessage] = useState('Nobody can sign in since this morning. Please open a ticket.')
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        if (!streaming && message.trim() !== '') chat.send(message.trim())
      }}
    >
      <label htmlFor="message">Message</label>
      <input id="message" autoComplete="off" value={message} onChange={(event) => setMessage(event.target.value)} />
      <button type="submit" aria-disabled={streaming}>
        Send
      </button>
      <button type="button" aria-disabled={!streaming} onClick={() => streaming && chat.stop()}>
        Stop
      </button>
    </form>
  )
}
