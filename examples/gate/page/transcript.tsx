import { ToolCallTurn } from 'honest-tool-calls'
import { type ReactNode, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { ScrollingList } from '../../chat/page/scrolling-list.tsx'
import type { Chat } from './chat.ts'

/** Each message of the user with the reply to it, and a button to stop the one that is under way. */
export function Transcript({ chat }: { readonly chat: Chat }): ReactNode {
  const { exchanges, current } = useStore(chat.state)
  const section = useRef<HTMLElement>(null)
  // In a narrow window the stories are as long as a page.
  useEffect(() => {
    if (current !== null) section.current?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <section ref={section} className="chat" aria-labelledby="chat-heading">
      <div className="heading">
        <h2 id="chat-heading">Conversation</h2>
        <button type="button" aria-disabled={current === null} onClick={() => chat.stop()}>
          Stop
        </button>
      </div>
      {exchanges.length === 0 && <p className="empty">Choose a story, and see what the page says of its tool call.</p>}
      <ScrollingList className="transcript" labelledBy="chat-heading">
        {exchanges.map(({ turnId, message }) => (
          <li key={turnId}>
            <p className="message">
              <span className="who">You: </span>
              {message}
            </p>
            <ToolCallTurn store={chat.store} turnId={turnId} actions={chat.actions} />
          </li>
        ))}
      </ScrollingList>
    </section>
  )
}
