import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { Chat } from './chat.ts'
import { Composer } from './composer.tsx'
import { EventLog } from './event-log.tsx'
import type { Log } from './log.ts'
import { SettingsForm } from './settings-form.tsx'
import { Transcript } from './transcript.tsx'

export function App({ chat, log }: { readonly chat: Chat; readonly log: Log }): ReactNode {
  const idle = useStore(chat.state, ({ exchanges, busy }) => exchanges.length > 0 && busy === 0)
  return (
    <>
      <header>
        <h1>Example chat</h1>
        <p>Choose how the next reply goes wrong, send the message, and see what the page says of the tool call.</p>
      </header>
      <main>
        <SettingsForm chat={chat} />
        <section className="chat" aria-labelledby="chat-heading">
          <div className="heading">
            <h2 id="chat-heading">Conversation</h2>
            <button type="button" aria-disabled={!idle} onClick={() => chat.clear()}>
              Clear
            </button>
          </div>
          <Transcript chat={chat} />
          <Composer chat={chat} />
        </section>
        <EventLog log={log} />
      </main>
    </>
  )
}
