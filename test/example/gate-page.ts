import type { Browser, Page } from 'playwright'

declare global {
  interface Window {
    /** All that was ever to be read or heard in the conversation, a text for each change. */
    readonly seen: string[]
  }
}

/** Runs in the page before anything else; after a reload, again. */
function recordConversation(): void {
  const seen: string[] = []
  Object.assign(window, { seen })
  new MutationObserver(() => {
    const heard = [...document.querySelectorAll('.htc-announcer')].map(({ textContent }) => textContent)
    const text = [document.querySelector('.transcript')?.textContent ?? '', ...heard].join('\n')
    if (seen.at(-1) !== text) seen.push(text)
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
}

/** The page of the gate in a tab of its own. */
export class GatePage {
  readonly page: Page
  readonly errors: string[] = []

  private constructor(page: Page) {
    this.page = page
    page.on('pageerror', ({ message }) => this.errors.push(message))
    page.on('console', (message) => {
      // Chromium's own line about a link that dropped, which is what the story is about.
      if (message.type() !== 'error' || message.text().endsWith('net::ERR_INCOMPLETE_CHUNKED_ENCODING')) return
      this.errors.push(message.text())
    })
  }

  static async open(browser: Browser, address: string): Promise<GatePage> {
    const context = await browser.newContext({ viewport: { width: 1000, height: 700 } })
    // Many pages at once, on whatever machine.
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    await page.addInitScript(recordConversation)
    const gate = new GatePage(page)
    await page.goto(`${address}gate/`)
    return gate
  }

  button(name: string) {
    return this.page.getByRole('button', { name, exact: true })
  }

  /** The block whose label is this. */
  block(label: string) {
    return this.page.getByRole('group', { name: label, exact: true })
  }

  async play(title: string): Promise<void> {
    await this.button(title).click()
  }

  /** Waits until no turn is under way. */
  async idle(): Promise<void> {
    await this.page.locator('button[aria-disabled="true"]', { hasText: 'Stop' }).waitFor()
  }

  labels(): Promise<string[]> {
    return this.page.locator('.transcript [data-label]').allTextContents()
  }

  /** What stands in the list of records, from the first. */
  records(): Promise<string[]> {
    return this.page.locator('.lines li').allTextContents()
  }

  events(): Promise<string[]> {
    return this.page.locator('.entries .text').allTextContents()
  }

  /** What was ever seen or heard of the conversation since the page was loaded. */
  async seen(): Promise<string> {
    return (await this.page.evaluate(() => window.seen)).join('\n')
  }

  /** The tools that have done something, as the server counts them. */
  runs(): Promise<string[]> {
    return this.page.evaluate(async () => {
      const { session } = JSON.parse(sessionStorage.getItem('honest-tool-calls gate') ?? '{}')
      const runs: { tool: string }[] = await (await fetch(`/api/gate/${session}/runs`)).json()
      return runs.map(({ tool }) => tool)
    })
  }
}
