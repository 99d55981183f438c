import type { ReactNode } from 'react'
import { EventLog } from '../../chat/page/event-log.tsx'
import type { Log } from '../../chat/page/log.ts'
import type { Chat } from './chat.ts'
import { RecordList } from './record-list.tsx'
import { StoryList } from './story-list.tsx'
import { Transcript } from './transcript.tsx'

export function App({ chat, log }: { readonly chat: Chat; readonly log: Log }): ReactNode {
  return (
    <>
      <header>
        <h1>
          <a href="/">honest-tool-calls</a>: the gate at work
        </h1>
        <p>
          This page runs the tools of a scripted model, behind the kit’s gate. Nothing here is paid, booked or deleted.
        </p>
      </header>
      <main>
        <StoryList chat={chat} />
        <Transcript chat={chat} />
        <EventLog log={log} />
        <RecordList records={chat.records} />
      </main>
    </>
  )
}
