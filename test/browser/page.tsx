import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach } from 'vitest'
import '../../src/styles.css'

const roots: Root[] = []

afterEach(() => {
  for (const root of roots.splice(0)) root.unmount()
  document.body.replaceChildren()
  document.documentElement.removeAttribute('data-theme')
  document.documentElement.removeAttribute('dir')
})

/** Shows something on the page, as a host would: no act, the browser's own frames. */
export async function show(node: ReactNode): Promise<HTMLElement> {
  const container = document.createElement('div')
  document.body.append(container)
  const root = createRoot(container)
  roots.push(root)
  // The first drawing at once: on a busy machine React may take more frames over it than anybody waits for.
  flushSync(() => root.render(node))
  await painted()
  return container
}

/** Until what was published stands on the screen. */
export async function painted(): Promise<void> {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
}

/** Whether an element is there to be read: of some size, in the viewport, nothing of its text cut off, and not covered. */
export function isReadable(element: Element | null): boolean {
  if (element === null) return false
  const box = element.getBoundingClientRect()
  const inside =
    box.width > 0 &&
    box.height > 0 &&
    box.left >= 0 &&
    box.right <= innerWidth &&
    box.top >= 0 &&
    box.bottom <= innerHeight
  const cut = element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflow !== 'visible'
  const onTop = document.elementFromPoint(box.left + 2, box.top + box.height / 2)
  return inside && !cut && onTop !== null && (element.contains(onTop) || onTop.contains(element))
}
