import type { Page } from 'playwright'

/** The settings of a page, as in its address; the rest is as the page has it by itself. */
export interface Settings {
  readonly scenario: string
  readonly second?: string
  readonly executor?: 'page' | 'page-without-gate' | 'server'
  readonly deadlines?: 'short' | 'default'
  readonly block?: 'kit' | 'default'
  readonly ids?: 'new' | 'same'
}

/** What stands in a chat. */
export interface Said {
  /** The labels that a person can see without opening anything, in order; others are marked as not shown. */
  readonly labels: readonly string[]
  readonly notice: string | null
  /** Whether the host says that a reply is on its way. */
  readonly busy: boolean
}

/** What must not be there once all is over, and is while arguments come. */
export interface Signs {
  readonly preparing: boolean
  readonly busy: boolean
  readonly moving: boolean
}

declare global {
  interface Window {
    readonly hostPage: {
      readonly said: (chat: string) => Said
      readonly signs: () => Signs
    }
  }
}

/** Long enough for the short deadlines and a slow machine, too short for those that are built in. */
const LIMIT = 8_000

/** Runs in the page before anything else; after a reload, again. */
function watchPage(): void {
  const isSeen = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect()
    const shown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    return shown && width > 0 && height > 0 && element.closest('details:not([open])') === null
  }
  const said = (chat: string): Said => {
    const root = document.querySelector(`[data-chat="${chat}"]`)
    const labels = [...(root?.querySelectorAll('[data-tool-call] [data-label]') ?? [])]
    const notices = [...(root?.querySelectorAll('[data-turn-notice]') ?? [])]
    return {
      labels: labels.map((label) => `${isSeen(label) ? '' : 'not shown: '}${label.textContent}`),
      notice: notices.length === 0 ? null : notices.map(({ textContent }) => textContent).join(' | '),
      busy: root?.querySelector('.composer')?.getAttribute('data-busy') !== 'false',
    }
  }
  const signs = (): Signs => {
    const main = document.querySelector('main')
    return {
      preparing: /Preparing|Running/.test(main?.textContent ?? ''),
      busy: main?.querySelector('[aria-busy="true"]') != null,
      moving: document.getAnimations().some(({ playState }) => playState === 'running'),
    }
  }
  Object.assign(window, { hostPage: { said, signs } })
}

/** A tab that shows the page of a host kit. */
export class HostPage {
  readonly #page: Page
  readonly #api: string
  readonly #errors: string[] = []

  private constructor(page: Page, api: string) {
    this.#page = page
    this.#api = api
    page.removeAllListeners('pageerror')
    page.on('pageerror', ({ message }) => this.#errors.push(message))
  }

  /** Prepares a tab, once. */
  static async watch(page: Page): Promise<void> {
    await page.addInitScript(watchPage)
  }

  static async open(page: Page, address: string, host: string, settings: Settings): Promise<HostPage> {
    const query = String(new URLSearchParams({ ...settings, held: 'yes', session: crypto.randomUUID() }))
    const opened = new HostPage(page, `${address}api/${host}/${query}`)
    await page.goto(`${address}${host}/?${query}`)
    await opened.#mounted()
    return opened
  }

  async reload(): Promise<void> {
    await this.#page.reload()
    await this.#mounted()
  }

  #mounted(): Promise<void> {
    return this.#page.locator('html[data-mounted]').waitFor()
  }

  press(name: 'Send' | 'Stop' | 'Regenerate' | 'Resume' | 'Allow' | 'Deny', chat = 'first'): Promise<void> {
    return this.#page.locator(`[data-chat="${chat}"]`).getByRole('button', { name, exact: true }).click()
  }

  /** The server goes on where it gave time to look. */
  async go(): Promise<void> {
    await fetch(`${this.#api}/go`)
  }

  /** Waits until a chat has come to say this, for good and with nothing on its way; gives what it says then, or at the limit. */
  async until({ labels, notice }: Omit<Said, 'busy'>, chat = 'first'): Promise<Said> {
    const isSaid = ([name = '', words]: readonly string[]) => JSON.stringify(window.hostPage.said(name)) === words
    const wanted = JSON.stringify({ labels, notice, busy: false })
    const from = Date.now()
    let said: Said
    do {
      await this.#when(isSaid, chat, wanted, LIMIT - (Date.now() - from))
      // Between two requests of one reply a host is not busy for a moment: only what stays so is how it ended.
      said = await this.#page.evaluate(async (name) => {
        const { hostPage } = window
        const words = JSON.stringify(hostPage.said(name))
        for (let frame = 0; frame < 10 && JSON.stringify(hostPage.said(name)) === words; frame++)
          await new Promise(requestAnimationFrame)
        return hostPage.said(name)
      }, chat)
    } while (JSON.stringify(said) !== wanted && Date.now() - from < LIMIT)
    return said
  }

  /** Waits until the last label of a chat matches, whatever else is going on. */
  async untilLabel(pattern: RegExp, chat = 'first'): Promise<Said> {
    const isSaid = ([name = '', words = '']: readonly string[]) => {
      const label = window.hostPage.said(name).labels.at(-1)
      return label !== undefined && new RegExp(words).test(label)
    }
    await this.#when(isSaid, chat, pattern.source, LIMIT)
    return this.#page.evaluate((name) => window.hostPage.said(name), chat)
  }

  /** The labels of the first chat, as they are. */
  labels(): Promise<readonly string[]> {
    return this.#page.evaluate(() => window.hostPage.said('first').labels)
  }

  /** Waits until these words stand in a chat. */
  untilText(words: string, chat = 'first'): Promise<void> {
    return this.#page.locator(`[data-chat="${chat}"]`).getByText(words).waitFor({ timeout: LIMIT })
  }

  async #when(
    condition: (words: readonly string[]) => boolean,
    chat: string,
    words: string,
    limit: number,
  ): Promise<void> {
    const timeout = Math.max(limit, 1)
    // What stands there instead is a better failure than that time is up.
    await this.#page.waitForFunction(condition, [chat, words], { timeout, polling: 50 }).catch(() => {})
  }

  signs(): Promise<Signs> {
    return this.#page.evaluate(() => window.hostPage.signs())
  }

  /** The runs of tools of the page, each by name and input. */
  clientRuns(): Promise<string[]> {
    return this.#page.locator('#runs li').allTextContents()
  }

  /** The names of the tools that the server ran for this page, once it has come to an end with it. */
  async serverRuns(): Promise<string[]> {
    const runs: { readonly tool: string }[] = await (await fetch(`${this.#api}/runs`)).json()
    return runs.map(({ tool }) => tool)
  }

  /** What the page threw. */
  errors(): readonly string[] {
    return this.#errors
  }
}
