import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { ToolCallTurn } from '../../../src/index.ts'
import type { Chat } from './chat.ts'
import { CheckButton } from './check-button.tsx'
import { faultLabel, wires } from './choices.ts'
import { ScrollingList } from './scrolling-list.tsx'

/** Each message of the user with the reply to it. */
export function Transcript({ chat }: { readonly chat: Chat }): ReactNode {
  const exchanges = useStore(chat.state, (state) => state.exchanges)
  return (
    <>
      {exchanges.length === 0 && <p className="empty">Nothing was sent yet.</p>}
      <ScrollingList className="transcript" labelledBy="chat-heading">
        {exchanges.map(({ turnId, message, settings }) => (
          <li key={turnId}>
            <p className="setting">
              {wires[settings.wire].label} · {faultLabel(settings.fault)} ·{' '}
              {settings.executor === 'page' ? 'the page runs tools' : 'the server runs tools'}
            </p>
            <p className="message">
              <span className="who">You: </span>
              {message}
            </p>
            <ToolCallTurn store={chat.storeFor(settings)} turnId={turnId} />
            {settings.executor === 'server' && <CheckButton store={chat.storeFor(settings)} turnId={turnId} />}
          </li>
        ))}
      </ScrollingList>
    </>
  )
}
