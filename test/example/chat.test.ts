import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ChatPage, type Facts } from './chat-page.ts'
import { launchChromium } from './chromium.ts'
import { type Example, startExample } from './start-example.ts'

const wires = ['anthropic', 'openai-chat', 'openai-responses']

/** The label that each fault ends in, by who runs the tool; of the preamble alone there is only the notice. */
const ends: Readonly<Record<string, { readonly page: string; readonly server: string }>> = {
  none: { page: 'done', server: 'done' },
  drop: { page: 'not run (connection lost)', server: 'may have run (connection lost)' },
  'clean-end': { page: 'not run (the response ended early)', server: 'may have run (the response ended early)' },
  stall: { page: 'not run (connection lost)', server: 'may have run (connection lost)' },
  stop: { page: 'cancelled', server: 'may have run (cancelled)' },
  reload: { page: 'not run (the page was closed)', server: 'may have run (the page was closed)' },
  'token-ceiling': { page: 'not run (the request was cut short)', server: 'not run (the request was cut short)' },
  filter: { page: 'not run (stopped by a content filter)', server: 'not run (stopped by a content filter)' },
  malformed: { page: 'not run (the request was unreadable)', server: 'not run (the request was unreadable)' },
  schema: { page: 'not run (the details were not valid)', server: 'not run (the details were not valid)' },
  'provider-error': {
    page: 'not run (the service reported an error)',
    server: 'not run (the service reported an error)',
  },
  'never-finished': { page: 'not run (the response ended early)', server: 'not run (the response ended early)' },
}
const cases = wires.flatMap((wire) =>
  Object.entries(ends).flatMap(([fault, { page, server }]) => [
    { wire, fault, executor: 'page', end: page },
    { wire, fault, executor: 'server', end: server },
  ]),
)

let example: Example
let browser: Browser

beforeAll(async () => {
  ;[example, browser] = await Promise.all([startExample(), launchChromium()])
})

afterAll(async () => {
  await browser?.close()
  example?.stop()
})

// A tab for each wire, all at once: most of the time a reply only waits.
const tabs = new Map<string, Promise<ChatPage>>()

/** Plays something in the tab of a wire, once what came before it there is over; in a new one if that failed. */
function inTab<Value>(wire: string, play: (chat: ChatPage) => Promise<Value>): Promise<Value> {
  const open = (): Promise<ChatPage> => ChatPage.open(browser, example.address)
  const chat = (tabs.get(wire) ?? open()).catch(open)
  const played = chat.then(play)
  tabs.set(
    wire,
    played.then(() => chat),
  )
  return played
}

function reply(wire: string, fault: string, executor: string): Promise<Facts> {
  return inTab(wire, async (chat) => {
    await chat.send({ Wire: wire, Fault: fault, 'Who runs the tool': executor })
    if (fault === 'reload') await chat.page.waitForEvent('load')
    return chat.conclude()
  })
}

const nothing = { preparing: false, busy: false, moving: false }
const everything = { preparing: true, busy: true, moving: true }

describe.concurrent('a call', () => {
  test.for(cases)('$wire, $fault, run by the $executor: $end', { timeout: 120_000 }, async (one, { expect }) => {
    const { wire, fault, executor, end } = one
    const { labels, notice, left, was, spoken, errors } = await reply(wire, fault, executor)
    const label = `create_ticket — ${end}`
    expect(labels).toEqual([label])
    const [ran] = /^(not run|cancelled|may have run)/.exec(end) ?? []
    const first = ran === 'may have run' ? 'May have run' : 'Not run'
    expect(notice).toBe(ran === undefined ? null : `${first}: create_ticket.`)
    expect(left).toEqual(nothing)
    expect(errors).toEqual([])
    // After a reload the page is another one: it shows what was kept, as it is, and says nothing of it.
    if (fault === 'reload') return expect(spoken).toEqual([])
    // On this wire a call that is never finished has no arguments, and so no preview.
    const unseen = fault === 'never-finished' && wire === 'openai-chat'
    expect(was).toEqual(unseen ? { ...everything, busy: false } : everything)
    expect(spoken.filter((sentence) => sentence.includes(label))).toEqual([label])
  })
})

describe.concurrent('a reply that ends right after its preamble', () => {
  test.for(wires)(
    '%s: says so, and that no tool was run where that is certain',
    { timeout: 120_000 },
    async (wire, { expect }) => {
      const page = await reply(wire, 'preamble', 'page')
      expect(page).toMatchObject({ labels: [], left: nothing, errors: [] })
      expect(page.notice).toBe('The reply stopped here (it ended early). No tool was run.')
      expect(page.spoken).toEqual(['The reply stopped here (it ended early). No tool was run.'])
      const server = await reply(wire, 'preamble', 'server')
      expect(server.notice).toBe('The reply stopped here (it ended early).')
    },
  )
})
