import { type RefObject, useEffect, useRef } from 'react'

interface KeptFocus {
  readonly onFocus: () => void
  readonly onBlur: () => void
}

/**
 * The buttons of a renderer vanish with the phase they belong to. The focus that one of them held goes to the label,
 * which by then says what came of it, instead of to the top of the page.
 */
export function useKeptFocus(label: RefObject<HTMLElement | null>): KeptFocus {
  // React tells of no blur when it takes the focused element away itself: then this stays true.
  const inside = useRef(false)
  useEffect(() => {
    const { current } = label
    if (!inside.current || current === null || current.ownerDocument.activeElement !== current.ownerDocument.body)
      return
    inside.current = false
    current.setAttribute('tabindex', '-1')
    current.focus({ preventScroll: true })
  })
  return {
    onFocus: () => {
      inside.current = true
    },
    onBlur: () => {
      inside.current = false
    },
  }
}
