import { cdp } from 'vitest/browser'

/** What Chromium tells assistive technology of one thing on the page. */
export interface Accessible {
  readonly role: string
  readonly name: string
}

interface Session {
  send(method: 'Page.getFrameTree'): Promise<{ frameTree: { childFrames?: { frame: { id: string } }[] } }>
  send(method: 'Accessibility.enable' | 'Accessibility.disable'): Promise<void>
  send(
    method: 'Accessibility.getFullAXTree',
    parameters: { frameId: string },
  ): Promise<{ nodes: { ignored: boolean; role?: { value: string }; name?: { value: string } }[] }>
  send(
    method: 'Emulation.setEmulatedMedia',
    parameters: { features: readonly { name: string; value: string }[] },
  ): Promise<void>
}

function session(): Session {
  return cdp() as unknown as Session
}

/** The page as Chromium's own accessibility tree has it. Tests run in a frame of the runner's page. */
export async function accessibilityTree(): Promise<readonly Accessible[]> {
  const { frameTree } = await session().send('Page.getFrameTree')
  const frameId = frameTree.childFrames?.[0]?.frame.id
  if (frameId === undefined) throw new Error('The frame that tests run in was not found.')
  await session().send('Accessibility.enable')
  const { nodes } = await session().send('Accessibility.getFullAXTree', { frameId })
  await session().send('Accessibility.disable')
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name }) => ({ role: role?.value ?? '', name: name?.value ?? '' }))
}

type Feature = 'prefers-reduced-motion' | 'prefers-color-scheme' | 'forced-colors'

/** Lets the page believe that the user prefers this, for as long as the function takes. */
export async function preferring(features: Partial<Record<Feature, string>>, run: () => Promise<void>): Promise<void> {
  const entries = Object.entries(features).map(([name, value]) => ({ name, value }))
  await session().send('Emulation.setEmulatedMedia', { features: entries })
  try {
    await run()
  } finally {
    await session().send('Emulation.setEmulatedMedia', { features: [] })
  }
}
