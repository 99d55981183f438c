import type { Browser, Page } from 'playwright'

/** What a reply looked and sounded like. */
export interface Facts {
  /** The labels of its blocks: what the eye sees without opening anything, and what each block is called. */
  readonly labels: readonly string[]
  readonly notice: string | null
  /** What stands there still once it is over. */
  readonly left: Signs
  /** What was there at some time before: the control, without which `left` would prove nothing. */
  readonly was: Signs
  /** What the polite region said, in order. */
  readonly spoken: readonly string[]
  readonly errors: readonly string[]
}

interface Signs {
  readonly preparing: boolean
  readonly busy: boolean
  readonly moving: boolean
}

declare global {
  interface Window {
    readonly record: { was: { preparing: boolean; busy: boolean; moving: boolean }; spoken: string[] }
    readonly signs: () => Signs
  }
}

/** Runs in the page before anything else; after a reload, again. */
function recordPage(): void {
  const signs = (): Signs => ({
    preparing: document.querySelector('.transcript')?.textContent?.includes('Preparing') === true,
    busy: document.querySelector('.transcript [aria-busy="true"]') !== null,
    moving: document.getAnimations().some(({ playState }) => playState === 'running'),
  })
  const record = { was: { preparing: false, busy: false, moving: false }, spoken: [] as string[] }
  Object.assign(window, { signs, record })
  new MutationObserver((mutations) => {
    for (const { target, addedNodes } of mutations) {
      const region = (target instanceof Element ? target : target.parentElement)?.closest('.htc-announcer')
      if (region?.getAttribute('role') !== 'status') continue
      for (const { textContent } of addedNodes) record.spoken.push(textContent?.trim() ?? '')
    }
    const { was } = record
    if (was.preparing && was.busy && was.moving) return
    const { preparing, busy, moving } = signs()
    record.was = { preparing: was.preparing || preparing, busy: was.busy || busy, moving: was.moving || moving }
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
}

/** The example's page in a tab of its own. */
export class ChatPage {
  readonly page: Page
  readonly #errors: string[] = []

  private constructor(page: Page) {
    this.page = page
    page.on('pageerror', ({ message }) => this.#errors.push(message))
    page.on('console', (message) => {
      // Chromium's own line about a connection that broke, which is what the fault is.
      if (message.type() !== 'error' || message.text().endsWith('net::ERR_INCOMPLETE_CHUNKED_ENCODING')) return
      this.#errors.push(message.text())
    })
  }

  static async open(browser: Browser, address: string): Promise<ChatPage> {
    const context = await browser.newContext({ viewport: { width: 640, height: 480 } })
    const page = await context.newPage()
    await page.addInitScript(recordPage)
    const chat = new ChatPage(page)
    await page.goto(`${address}chat/`)
    return chat
  }

  async send(settings: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, value] of Object.entries(settings)) {
      await this.page.getByLabel(label, { exact: true }).selectOption(value)
    }
    await this.page.evaluate(() => {
      window.record.was = { preparing: false, busy: false, moving: false }
      window.record.spoken.length = 0
    })
    await this.page.getByRole('button', { name: 'Send' }).click()
  }

  /** Waits until nothing of the reply is open, and leaves the transcript empty. */
  async conclude(): Promise<Facts> {
    // Enabled only once nothing streams and no tool runs.
    const clear = this.page.locator('button[aria-disabled="false"]', { hasText: 'Clear' })
    await clear.waitFor()
    const blocks = await this.page.getByRole('group').all()
    const labels: string[] = []
    for (const block of blocks) {
      const label = block.locator('[data-label]')
      const text = (await label.textContent()) ?? ''
      const named = await this.page.getByRole('group', { name: text, exact: true }).count()
      labels.push((await label.isVisible()) && named > 0 ? text : `not shown: ${text}`)
    }
    const seen = await this.page.evaluate(() => ({
      notice: document.querySelector('.htc-notice')?.textContent ?? null,
      left: window.signs(),
      ...window.record,
    }))
    await clear.click()
    return { labels, ...seen, errors: this.#errors.splice(0) }
  }
}
