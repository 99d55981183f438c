import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scripted } from '../../examples/chat/server/scripted.mjs'
import { ChatPage } from './chat-page.ts'
import { launchChromium } from './chromium.ts'
import { type Example, startExample } from './start-example.ts'

// A local server that is compatible with both providers, as far as the example goes.
const paths: Readonly<Record<string, string>> = {
  '/v1/messages': 'anthropic',
  '/v1/chat/completions': 'openai-chat',
  '/v1/responses': 'openai-responses',
}
const asked: { path: string; key: string; body: Record<string, unknown> }[] = []
let refuses = false

let provider: Server
let example: Example
let browser: Browser
let chat: ChatPage

beforeAll(async () => {
  browser = await launchChromium()
  provider = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const path = request.url ?? ''
    const key = String(request.headers['x-api-key'] ?? request.headers.authorization).replace('Bearer ', '')
    asked.push({ path, key, body: JSON.parse(body) })
    if (refuses) {
      response.writeHead(401, { 'content-type': 'application/json' })
      response.end('{"type":"error","error":{"type":"authentication_error","message":"no"}}')
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for await (const piece of scripted({ wire: paths[path], calls: 1, fault: 'none' }, 1)) response.write(piece)
    response.end()
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  example = await startExample({
    ANTHROPIC_API_KEY: 'first-key',
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_MODEL: 'a-model',
    OPENAI_API_KEY: 'second-key',
    OPENAI_BASE_URL: `${address}/v1`,
    OPENAI_MODEL: 'b-model',
  })
  chat = await ChatPage.open(browser, example.address)
  await chat.page.getByLabel('Written by').waitFor()
}, 60_000)

afterAll(async () => {
  await browser?.close()
  example?.stop()
  provider?.close()
})

test.for([
  ['anthropic', 'page', '/v1/messages', 'first-key', 'a-model'],
  ['anthropic', 'server', '/v1/messages', 'first-key', 'a-model'],
  ['openai-chat', 'page', '/v1/chat/completions', 'second-key', 'b-model'],
  ['openai-responses', 'server', '/v1/responses', 'second-key', 'b-model'],
] as const)('%s, run by the %s: the wire of the provider reaches the page', { timeout: 60_000 }, async (one) => {
  const [wire, executor, path, key, model] = one
  await chat.page.getByLabel('Wire').selectOption(wire)
  await chat.send({ 'Written by': 'provider', 'Who runs the tool': executor })
  expect(await chat.conclude()).toMatchObject({ labels: ['create_ticket — done'], notice: null, errors: [] })
  expect(asked.at(-1)).toMatchObject({ path, key, body: { model, stream: true } })
})

test('a provider that refuses is an error of the service', { timeout: 60_000 }, async () => {
  refuses = true
  await chat.page.getByLabel('Wire').selectOption('anthropic')
  await chat.send({ 'Written by': 'provider', 'Who runs the tool': 'page' })
  const { labels, notice } = await chat.conclude()
  expect(labels).toEqual([])
  expect(notice).toBe('The reply stopped here (the service reported an error). No tool was run.')
})
