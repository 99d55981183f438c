import { type ReactNode, useId } from 'react'
import { useStore } from 'zustand'
import { stories } from '../stories.mjs'
import type { Chat, Story } from './chat.ts'

/** What can be played, one at a time. The buttons keep the focus when they have nothing to do. */
export function StoryList({ chat }: { readonly chat: Chat }): ReactNode {
  const busy = useStore(chat.state, ({ current }) => current !== null)
  return (
    <section className="stories" aria-labelledby="stories-heading">
      <h2 id="stories-heading">Stories</h2>
      <ul>
        {Object.entries(stories).map(([story, { title, about }]) => (
          <StoryItem key={story} title={title} about={about} busy={busy} play={() => chat.play(story as Story)} />
        ))}
      </ul>
    </section>
  )
}

interface StoryItemProps {
  readonly title: string
  readonly about: string
  readonly busy: boolean
  readonly play: () => void
}

function StoryItem({ title, about, busy, play }: StoryItemProps): ReactNode {
  const aboutId = useId()
  return (
    <li>
      <button type="button" aria-disabled={busy} aria-describedby={aboutId} onClick={play}>
        {title}
      </button>
      <p id={aboutId}>{about}</p>
    </li>
  )
}
