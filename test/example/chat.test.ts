import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { hosts } from '../../examples/hosts/hosts.mjs'
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
// What the gate or the server says of a call it did not run is the same on every wire (test/wire has them all).
const reported = ['token-ceiling', 'filter', 'malformed', 'schema', 'never-finished']

const cases = Object.entries(ends).flatMap(([fault, { page, server }]) => [
  ...wires
    .filter((wire) => wire === 'anthropic' || !reported.includes(fault))
    .map((wire) => ({ wire, fault, executor: 'page', end: page })),
  ...wires
    .filter((wire) => wire === 'anthropic' || !reported.includes(fault))
    .map((wire) => ({ wire, fault, executor: 'server', end: server })),
])

let example: Example
let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
  example = await startExample()
}, 60_000)

afterAll(async () => {
  await browser?.close()
  example?.stop()
})

const free: ChatPage[] = []

function openTab(): Promise<ChatPage> {
  return ChatPage.open(browser, example.address)
}

/** Plays something in a tab that nobody else plays in. One in which something failed is not used again. */
async function inTab<Value>(play: (chat: ChatPage) => Promise<Value>): Promise<Value> {
  const chat = free.pop() ?? (await openTab())
  const value = await play(chat)
  free.push(chat)
  return value
}

function reply(wire: string, fault: string, executor: string): Promise<Facts> {
  return inTab(async (chat) => {
    const loaded = fault === 'reload' ? chat.page.waitForEvent('load') : undefined
    await chat.send({ Wire: wire, Fault: fault, 'Who runs the tool': executor })
    await loaded
    return chat.conclude()
  })
}

const nothing = { preparing: false, busy: false, moving: false }
const everything = { preparing: true, busy: true, moving: true }

describe.concurrent('a call', { timeout: 120_000 }, () => {
  test.for(cases)('$wire, $fault, run by the $executor: $end', async (one, { expect }) => {
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

describe.concurrent('a reply that ends right after its preamble', { timeout: 120_000 }, () => {
  test.for(wires)('%s: says so, and that no tool was run where that is certain', async (wire, { expect }) => {
    const page = await reply(wire, 'preamble', 'page')
    const notice = 'The reply stopped here (it ended early). No tool was run.'
    expect(page).toMatchObject({ labels: [], notice, left: nothing, spoken: [notice], errors: [] })
    const server = await reply(wire, 'preamble', 'server')
    expect(server.notice).toBe('The reply stopped here (it ended early).')
  })
})

describe.concurrent('the page', { timeout: 120_000 }, () => {
  test('a call whose neighbour is damaged is held back', async ({ expect }) => {
    const chat = await openTab()
    await chat.send({ Fault: 'schema', Calls: '2' })
    const { labels, notice } = await chat.conclude()
    expect(labels).toEqual([
      'create_ticket — not run (another call had a problem)',
      'send_payment — not run (the details were not valid)',
    ])
    expect(notice).toBe('Not run: create_ticket, send_payment.')
  })

  test('a server runs the tool though the link broke, and says so when it is asked', async ({ expect }) => {
    const chat = await openTab()
    await chat.send({ Fault: 'drop', 'Who runs the tool': 'server' })
    const check = chat.page.getByRole('button', { name: 'Check with the server' })
    await check.waitFor()
    const done = chat.page.getByRole('group', { name: 'create_ticket — done', exact: true })
    while ((await done.count()) === 0) {
      await check.click()
      await chat.page.waitForTimeout(100)
    }
    expect((await chat.conclude()).spoken).toEqual([
      'create_ticket — may have run (connection lost)',
      'create_ticket — done',
    ])
    expect(example.lines).toContain('create_ticket ran on the server, after the browser had gone.')
  })

  test('sending and stopping work by keyboard, and Stop cancels the call', async ({ expect }) => {
    const chat = await openTab()
    const { keyboard } = chat.page
    // So that there is time: nothing ends this reply for ten seconds but the button.
    await chat.page.getByLabel('Fault').selectOption('stall')
    await chat.page.getByLabel('Idle deadline').selectOption('10000')
    await chat.page.getByLabel('Message').focus()
    await keyboard.press('Enter')
    await chat.page.getByRole('group').waitFor()
    await keyboard.press('Tab')
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    const { labels, spoken } = await chat.conclude()
    expect(labels).toEqual(['create_ticket — cancelled'])
    expect(spoken).toEqual(['create_ticket — cancelled'])
  })

  test('nothing is wider than a window of 320 pixels', async ({ expect }) => {
    const chat = await openTab()
    const { page } = chat
    await page.setViewportSize({ width: 320, height: 640 })
    await chat.send({ Fault: 'drop', 'Who runs the tool': 'server', Calls: '2' })
    await page.getByRole('button', { name: 'Check with the server' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  })

  test('the first page leads to this one, to the gate at work and to one for each host kit', async ({ expect }) => {
    const links = [...(await (await fetch(example.address)).text()).matchAll(/href="([^"]+)"/g)].map(([, path]) => path)
    expect(links).toEqual(['/chat/', '/gate/', ...hosts.map(({ name }) => `/${name}/`)])
    expect((await fetch(`${example.address}nowhere/`)).status).toBe(404)
  })

  test('the page comes with a policy without exceptions, and only the page is answered', async ({ expect }) => {
    const page = await fetch(`${example.address}chat/`)
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'self';(?!.*unsafe)/)
    const elsewhere = await fetch(`${example.address}api/chat`, { method: 'POST', body: '{}' })
    expect(elsewhere.status).toBe(415)
  })
})
