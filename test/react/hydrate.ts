import { act } from '@testing-library/react'
import type { ReactNode } from 'react'
import { type HydrationOptions, hydrateRoot } from 'react-dom/client'
import { onTestFinished } from 'vitest'

/** Has the browser take over what a server drew, until the test is over. */
export async function hydrate(container: HTMLElement, node: ReactNode, options?: HydrationOptions): Promise<void> {
  document.body.append(container)
  const root = await act(async () => hydrateRoot(container, node, options))
  onTestFinished(() => {
    act(() => root.unmount())
    container.remove()
  })
}
