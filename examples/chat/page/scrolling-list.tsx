/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- see below */
import { type ReactNode, useEffect, useRef } from 'react'

interface ScrollingListProps {
  readonly className: string
  readonly labelledBy: string
  readonly children: ReactNode
}

// As far from the end as a reader may be and still follow it.
const NEAR = 40

/** A list that scrolls by itself, and keeps its end in view while it grows unless its reader has scrolled away from there. */
export function ScrollingList({ className, labelledBy, children }: ScrollingListProps): ReactNode {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const element = list.current
    if (element === null) return
    let follows = true
    element.scrollTop = element.scrollHeight
    const scrolled = (): void => {
      follows = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR
    }
    const grown = new MutationObserver(() => {
      if (follows) element.scrollTop = element.scrollHeight
    })
    element.addEventListener('scroll', scrolled)
    grown.observe(element, { childList: true, subtree: true, characterData: true })
    return () => {
      element.removeEventListener('scroll', scrolled)
      grown.disconnect()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: not every browser lets the keyboard scroll what cannot have the focus
    <ol ref={list} className={className} tabIndex={0} aria-labelledby={labelledBy} aria-live="off">
      {children}
    </ol>
  )
}
