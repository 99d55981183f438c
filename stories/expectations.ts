import { expect, within } from 'storybook/test'

/** The block whose accessible name is exactly this sentence, and whose visible label is the same. */
export async function blockNamed(canvasElement: HTMLElement, words: string): Promise<HTMLElement> {
  const block = within(canvasElement).getByRole('group', { name: words })
  await expect(block).toBeVisible()
  await expect(block.querySelector('[data-label]')).toBeVisible()
  await expect(block.querySelector('[data-label]')).toHaveTextContent(words)
  await expectHiddenIcon(block)
  return block
}

/** Nothing in it moves, is busy or says that something is under way. */
export async function expectSettled(block: HTMLElement): Promise<void> {
  await expect(block).toHaveAttribute('data-phase', 'settled')
  await expect(block.getAnimations({ subtree: true })).toEqual([])
  await expect(block.querySelector('[aria-busy]')).toBeNull()
  await expect(block).not.toHaveTextContent(/Preparing|Running/)
}

async function expectHiddenIcon(block: HTMLElement): Promise<void> {
  const icon = block.querySelector('svg')
  await expect(icon).toHaveAttribute('aria-hidden', 'true')
  await expect(within(block).queryByRole('img')).toBeNull()
}

/** The turn's note is exactly this; null: there is none. */
export async function expectNotice(canvasElement: HTMLElement, words: string | null): Promise<void> {
  const notice = canvasElement.querySelector<HTMLElement>('[data-turn-notice]')
  if (words === null) {
    await expect(notice).toBeNull()
    return
  }
  await expect(notice).toBeVisible()
  await expect(notice).toHaveTextContent(words)
  await expect(notice?.textContent).toBe(words)
}
