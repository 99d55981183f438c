import { useRef, useState } from 'react'

/**
 * Presses of a button that count once: while what the first one began is under way, further ones do nothing.
 * The button stays, with `aria-disabled`: one that is disabled or goes away drops the focus.
 * @param forGood it counts no more at all, unless what it began has failed
 */
export function usePress(forGood = false): readonly [pressed: boolean, press: (begin: () => unknown) => void] {
  const [pressed, setPressed] = useState(false)
  // The second click of a double click may come before the first has been drawn.
  const latch = useRef(false)
  const release = (): void => {
    latch.current = false
    setPressed(false)
  }
  const press = async (begin: () => unknown): Promise<void> => {
    if (latch.current) return
    latch.current = true
    setPressed(true)
    try {
      await begin()
    } catch (failure) {
      release()
      // For the host's own reporting: the kit has no words for it.
      throw failure
    }
    if (!forGood) release()
  }
  return [pressed, (begin) => void press(begin)]
}
