import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { tinyWire } from '../../examples/adapter/tiny-wire.ts'
import { anthropic } from '../../src/adapters/anthropic.ts'
import { ollama } from '../../src/adapters/ollama.ts'
import { FORMATS } from '../../src/cli/formats.ts'
import { STREAM_EVENT_TYPES } from '../../src/core/events.ts'
import type { Adapter, Emit, StreamEvent } from '../../src/core.ts'
import { type AdapterCapture, adapterContract } from '../../src/testing/index.ts'
import { CASES } from './corpus-cases.ts'

// Many runs, on machines that may have much else to do.
const patient = 60_000

describe.for([...FORMATS.values()])('$format', (adapter) => {
  const captures = CASES.filter((corpusCase) => corpusCase.adapter === adapter).map(
    ({ title, bytes, tools, expected }): AdapterCapture => ({ name: title, bytes, tools, ending: expected.ending }),
  )
  // corpus-cuts.test.ts cuts each of them anywhere, and looks at more.
  const checks = adapterContract(adapter, captures).filter(({ name }) => !name.endsWith('cut in two anywhere'))
  for (const { name, run } of checks) test(name, run, patient)
})

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

describe('the adapter of the docs', () => {
  const lines = (...events: readonly object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('')
  const tools = { create_ticket: { executor: 'local' } } as const
  const call = [
    { say: 'I’ll create that ticket.' },
    { call: 'a', tool: 'create_ticket', args: '{"title":' },
    { call: 'b', tool: 'find_owner', args: '{}' },
    { call: 'a', args: '"Tür"}' },
  ]
  const captures: readonly AdapterCapture[] = [
    {
      name: 'two calls',
      bytes: lines(...call, { stop: 'end' }),
      tools,
      expect: ['create_ticket — waiting to run', 'find_owner — may have run (no result received)'],
    },
    {
      name: 'cut short',
      bytes: lines(...call, { stop: 'length' }),
      tools,
      expect: [
        'create_ticket — not run (the request was cut short)',
        'find_owner — may have run (the response was cut short)',
      ],
    },
    {
      name: 'a word that is new',
      bytes: lines(...call, { stop: 'constructor' }),
      tools,
      expect: ['create_ticket — not run', 'find_owner — may have run'],
    },
    {
      name: 'broken off',
      bytes: lines(...call),
      tools,
      ending: 'error',
      expect: ['create_ticket — not run (connection lost)', 'find_owner — may have run (connection lost)'],
    },
  ]
  for (const { name, run } of adapterContract(tinyWire, captures)) test(name, run, patient)

  test('stands in the docs as it is here', () => {
    const source = read('examples/adapter/tiny-wire.ts').replace('../../src/core.ts', 'honest-tool-calls/core')
    expect(read('docs/wires.md')).toContain(`\`\`\`ts\n${source}\`\`\`\n`)
  })
})

test('the docs name every event and every wire', () => {
  const docs = read('docs/wires.md')
  expect([...STREAM_EVENT_TYPES, ...FORMATS.keys()].filter((word) => !docs.includes(`\`${word}\``))).toEqual([])
})

describe('fails an adapter that', () => {
  test('shares a key between calls', async () => {
    const broken = saying((event, emit) => emit('key' in event ? { ...event, key: 'call' } : event))
    expect(await failuresOf(broken, captureOf('anthropic/parallel-interleaved'))).toContain(
      'gives every call a key of its own',
    )
  })

  test('throws on what is no event', async () => {
    const broken = reading((event, read) => ('type' in (event as object) ? read() : false))
    expect(await failuresOf(broken, captureOf('anthropic/no-argument-tool'))).toEqual([
      'reads its own frames and no others',
      'never throws on what is broken, nor hands it on',
    ])
  })

  test('forgets the end of its message', async () => {
    const capture = {
      ...captureOf('anthropic/no-argument-tool'),
      expect: Array(2).fill('list_open_tickets — waiting to run'),
    }
    const broken = saying((event, emit) => {
      if (event.type !== 'message-ended') emit(event)
    })
    expect(await failuresOf(anthropic, capture)).toEqual([])
    expect(await failuresOf(broken, capture)).toEqual(['its calls end with the labels that are expected'])
  })

  test('decodes every piece anew', async () => {
    const broken: Adapter = {
      ...anthropic,
      framer(sink) {
        const framer = anthropic.framer(sink)
        return { feed: (piece) => framer.feed(typeof piece === 'string' ? piece : new TextDecoder().decode(piece)) }
      },
    }
    expect(await failuresOf(broken, captureOf('anthropic/utf8-cut-inside-characters'))).toEqual([
      'comes to the same in pieces of one byte',
      'comes to the same cut in two anywhere',
    ])
  })

  test('goes on after the end of its stream', async () => {
    const broken = saying((event, emit) => {
      emit(event)
      if (event.type === 'stream-ended') emit({ type: 'text-fragment', text: 'Sorry.' })
    })
    expect(await failuresOf(broken, captureOf('anthropic/overloaded-between-calls'))).toContain(
      'says nothing after its stream has ended',
    )
  })

  test('has words of its own', async () => {
    const broken = saying((event, emit) => emit({ ...event, name: undefined } as unknown as StreamEvent))
    expect(await failuresOf(broken, captureOf('anthropic/pause-with-client-tool'))).toContain(
      'says only what the vocabulary has',
    )
  })

  test('begins to mint anew with each stream', async () => {
    const broken: Adapter = {
      ...ollama,
      reader() {
        let reader = ollama.reader()
        return {
          open() {
            reader = ollama.reader()
            reader.open()
          },
          read: (event, emit) => reader.read(event, emit),
        }
      },
    }
    expect(await failuresOf(broken, captureOf('ollama/two-chunks-no-ids'))).toEqual(['mints no key twice in a turn'])
  })

  test('shows its keys, or what the model wrote', async () => {
    const ids = saying((event, emit) => emit(event.type === 'call-announced' ? { ...event, callId: event.key } : event))
    expect(await failuresOf(ids, captureOf('anthropic/no-argument-tool'))).toContain('never hands on a key to be shown')
    let text = ''
    const words = saying((event, emit) => {
      if (event.type === 'text-fragment') text = event.text
      emit(event.type === 'call-announced' ? { ...event, name: text } : event)
    })
    expect(await failuresOf(words, captureOf('anthropic/max-tokens-closed-block'))).toEqual([
      'puts no text and no arguments into a label',
    ])
  })
})

test('says what an adapter did, and after what', async () => {
  const broken = reading((event, read) => ('type' in (event as object) ? read() : false))
  const [check] = adapterContract(broken, [{ name: 'mine', bytes: 'data: {"type":"ping"}\n\n' }]).filter(({ name }) =>
    name.includes('never throws'),
  )
  await expect(async () => check?.run()).rejects.toThrow(
    /^honest-tool-calls: anthropic, mine: frame 0 replaced by undefined: it throws TypeError/,
  )
})

test('asks for a capture', () => {
  expect(() => adapterContract(anthropic, [])).toThrow('Give it a capture')
})

function captureOf(title: string): AdapterCapture {
  const found = CASES.find((corpusCase) => corpusCase.title === title)
  if (found === undefined) throw new Error(`There is no case ${title}.`)
  return { name: title, bytes: found.bytes, tools: found.tools, ending: found.expected.ending }
}

/** The checks that an adapter does not pass, without the name of the capture. */
async function failuresOf(adapter: Adapter, capture: AdapterCapture): Promise<readonly string[]> {
  const failed: string[] = []
  for (const { name, run } of adapterContract(adapter, [capture])) {
    try {
      await run()
    } catch {
      failed.push(name.slice(capture.name.length + 2))
    }
  }
  return failed
}

/** Anthropic's adapter, but for what it does with an event of the wire. */
function reading(change: (event: unknown, read: () => boolean) => boolean): Adapter {
  return {
    ...anthropic,
    reader() {
      const reader = anthropic.reader()
      return { open: () => reader.open(), read: (event, emit) => change(event, () => reader.read(event, emit)) }
    },
  }
}

/** Anthropic's adapter, but for what becomes of what it says. */
function saying(change: (event: StreamEvent, emit: Emit) => void): Adapter {
  return {
    ...anthropic,
    reader() {
      const reader = anthropic.reader()
      return {
        open: () => reader.open(),
        read: (event, emit) => reader.read(event, (said) => change(said, emit)),
      }
    },
  }
}
