import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test, vi } from 'vitest'
import { relay } from '../../src/adapters/relay.ts'
import { english, labelOf } from '../../src/core/labels.ts'
import { readReports } from '../../src/core/report.ts'
import { pump } from '../../src/pump.ts'
import { createToolCallStore } from '../../src/store/create-store.ts'
import { loopbackModel, messageOf } from './loopback-model.ts'

const page = readFileSync('docs/server.md', 'utf8')
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, code = '']) => code)

test('the page has the examples as they are', () => {
  const node = readFileSync('examples/server/node-server.ts', 'utf8')
    .replace(/'\.\.\/\.\.\/src\/(dispatch|server)\/index\.ts'/g, "'honest-tool-calls/$1'")
    .replace(/'\.\.\/\.\.\/src\/(.*)\.ts'/g, "'honest-tool-calls/$1'")
  expect(blocks('ts')).toEqual([node])
  expect(blocks('python')).toEqual([readFileSync('examples/server/python_server.py', 'utf8')])
})

test('its samples are reports, with causes that the kit has words for', () => {
  const samples = blocks('json')
    .flatMap((block) => block.trim().split('\n'))
    .map((line) => JSON.parse(line))
  const reports = readReports(samples)
  expect(reports).toHaveLength(4)
  for (const { cause, ran } of reports) {
    if (ran !== 'yes') expect(Object.keys(english[ran])).toContain(cause)
  }
})

test('the causes that the Python example sends are words of the kit', () => {
  const [python = ''] = blocks('python')
  const causes = [...python.matchAll(/"cause": "([^"]+)"/g)].map(([, cause = '']) => cause)
  expect(causes.length).toBeGreaterThan(4)
  for (const cause of causes) expect({ ...english.no, ...english.unknown }).toHaveProperty([cause])
})

test('the Node example runs: a payment is asked about, granted, made, and told of', { timeout: 60_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'honest-tool-calls-server-'))
  const secret = 'DE02120300000000202051'
  const model = await loopbackModel(
    messageOf({ c1: ['send_payment', `{"amount":5,"iban":"${secret}"}`] }, 'At once.'),
    messageOf({}, 'It is paid.'),
  )
  vi.stubEnv('ANTHROPIC_BASE_URL', model.url)
  vi.stubEnv('ANTHROPIC_API_KEY', 'none')
  vi.stubEnv('PORT', '0')
  vi.stubEnv('JOURNAL', join(directory, 'journal.jsonl'))
  const signals = ['SIGTERM', 'SIGINT'] as const
  const before = signals.map((signal) => process.listeners(signal))
  const { server } = await import('../../examples/server/node-server.ts')
  try {
    if (!server.listening) await new Promise((resolve) => server.once('listening', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
    const post = (path: string, body: object) =>
      fetch(`${origin}/${path}`, { method: 'POST', body: JSON.stringify(body) })
    const store = createToolCallStore({ tools: { send_payment: { executor: 'server' } } })
    const said: string[] = []
    store.subscribe(({ calls }) => {
      for (const { call } of calls) {
        said.push(labelOf(call))
        if (call.phase === 'waiting' && call.on === 'person')
          void post('answer', { turnId: 't', callId: call.id, granted: true })
      }
    })
    const turn = pump(() => post('turn', { turnId: 't', text: 'Pay 5.' }), relay, store, { turnId: 't' })
    expect((await turn.ended).ending).toEqual({ type: 'complete', speaker: 'executor' })
    expect(said).toContain('send_payment — waiting for your approval')
    expect(said.at(-1)).toBe('send_payment — done')
    expect(model.asked).toHaveLength(2)
    expect(await (await fetch(`${origin}/turn/t`)).text()).not.toContain(secret)
    // The same request once more only tells the same turn.
    await (await post('turn', { turnId: 't', text: 'Pay 5.' })).text()
    expect(model.asked).toHaveLength(2)
    expect((await post('stop', { turnId: 't' })).status).toBe(204)
    expect((await fetch(`${origin}/turn/unknown`)).status).toBe(404)
    expect(existsSync(join(directory, 'journal.jsonl'))).toBe(true)
  } finally {
    server.closeAllConnections()
    server.close()
    model.close()
    model.server.close()
    // Those of the example: the test's own process is not to be finished by it.
    for (const [place, signal] of signals.entries()) {
      const added = process.listeners(signal).filter((listener) => before[place]?.includes(listener) === false)
      expect(added).toHaveLength(1)
      for (const listener of added) process.off(signal, listener)
    }
    vi.unstubAllEnvs()
    rmSync(directory, { recursive: true })
  }
})
