import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { run } from '../../src/cli/run.ts'

const frame = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`

function announce(index: number, id: string, name: string): string {
  return frame({ type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } })
}

function input(index: number, text: string): string {
  return frame({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: text } })
}

const start = frame({ type: 'message_start', message: { id: 'm' } })
const begun = start + announce(0, 'a', 'create_ticket') + input(0, '{"title":')
const whole =
  begun +
  input(0, '"A"}') +
  frame({ type: 'content_block_stop', index: 0 }) +
  frame({ type: 'message_delta', delta: { stop_reason: 'tool_use' } }) +
  frame({ type: 'message_stop' })

const tools = JSON.stringify([
  {
    name: 'create_ticket',
    executor: 'local',
    parameters: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
  },
])

interface Answer {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs the command with these files; `-` is standard input. */
async function command(files: Readonly<Record<string, string | Uint8Array>>, ...argv: string[]): Promise<Answer> {
  let out = ''
  let err = ''
  const code = await run(argv, {
    version: '1.2.3',
    async read(file) {
      const content = files[file]
      if (content === undefined) throw Object.assign(new Error(`ENOENT: ${file}`), { code: 'ENOENT' })
      return typeof content === 'string' ? new TextEncoder().encode(content) : content
    },
    out(text) {
      out += text
    },
    err(text) {
      err += text
    },
  })
  return { code, out, err }
}

/** What the command prints of a capture that it replays. */
async function printed(capture: string | Uint8Array, ...options: string[]): Promise<string> {
  const argv = ['replay', 'a.sse', '--format', 'anthropic', '--tools', 'tools.json', ...options]
  const { code, out, err } = await command({ 'a.sse': capture, 'tools.json': tools }, ...argv)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
}

test('a line for each call as the user reads it, then the note', async () => {
  const ours = begun + announce(1, 'b', 'send_payment') + announce(2, 'c', '')
  expect(await printed(ours, '--ending', 'error')).toBe(
    [
      '⊘ create_ticket — not run (connection lost)',
      '? send_payment — may have run (connection lost)',
      '? A tool call — may have run (connection lost)',
      'Not run: create_ticket. May have run: send_payment, a tool call.',
      '',
    ].join('\n'),
  )
})

test('each ending has its words', async () => {
  const words = async (ending: string) => (await printed(begun, '--ending', ending)).split('\n')[0]
  expect(await words('done')).toBe('⊘ create_ticket — not run (the response ended early)')
  expect(await words('eof')).toBe('⊘ create_ticket — not run (the response ended early)')
  expect(await words('error')).toBe('⊘ create_ticket — not run (connection lost)')
  expect(await words('stall')).toBe('⊘ create_ticket — not run (connection lost)')
  expect(await words('user-cancel')).toBe('⊘ create_ticket — cancelled')
  expect(await words('reload')).toBe('⊘ create_ticket — not run (the page was closed)')
  expect(await printed(begun)).toBe(await printed(begun, '--ending=done'))
})

test('a call that waits has no icon of a settled one', async () => {
  expect(await printed(whole)).toBe('… create_ticket — waiting to run\n')
  expect(await printed(whole, '--ending', 'error')).toBe('… create_ticket — waiting to run\n')
})

test('the icons tell done from failed', async () => {
  const server = (index: number, id: string) =>
    frame({ type: 'content_block_start', index, content_block: { type: 'server_tool_use', id, name: 'web_search' } }) +
    frame({ type: 'content_block_stop', index })
  const result = (index: number, id: string, content: unknown) =>
    frame({
      type: 'content_block_start',
      index,
      content_block: { type: 'web_search_tool_result', tool_use_id: id, content },
    })
  const capture =
    start +
    server(0, 'a') +
    result(1, 'a', []) +
    server(2, 'b') +
    result(3, 'b', { type: 'web_search_tool_result_error', error_code: 'unavailable' }) +
    frame({ type: 'message_delta', delta: { stop_reason: 'end_turn' } })
  expect(await printed(capture)).toBe('✓ web_search — done\n✕ web_search — ran and failed\n')
})

test('--json prints an object for each call', async () => {
  const out = await printed(whole + start + announce(0, 'b', 'create_ticket'), '--json')
  const [first, second, rest] = out.split('\n')
  expect(rest).toBe('')
  expect(Object.entries(JSON.parse(first ?? ''))).toEqual([
    ['id', 'a'],
    ['name', 'create_ticket'],
    ['outcome', 'dispatchable'],
    ['cause', null],
    ['detail', null],
    ['ran', null],
    ['label', 'create_ticket — waiting to run'],
    ['mayDispatch', true],
    ['args', { title: 'A' }],
    ['rawLength', 13],
    ['rawSha256', createHash('sha256').update('{"title":"A"}').digest('hex')],
  ])
  expect(JSON.parse(second ?? '')).toMatchObject({
    id: 'b',
    outcome: 'abandoned',
    cause: 'ended-early',
    detail: 'no-terminal',
    ran: 'no',
    label: 'create_ticket — not run (the response ended early)',
    mayDispatch: false,
    rawLength: 0,
  })
})

test('--cut plays the first bytes only, inside a frame or a character too', async () => {
  const lost = '⊘ create_ticket — not run (the response ended early)'
  expect(await printed(whole, '--cut', String(begun.length))).toContain(lost)
  expect(await printed(whole, '--cut', String(begun.length + 5))).toContain(lost)
  expect(await printed(whole, '--cut', '1000000')).toBe(await printed(whole))
  expect(await printed(whole, '--cut', '10')).toBe('The reply stopped here (it ended early).\n')
  expect(await printed(whole, '--cut', '0', '--json')).toBe('')
  const umlaut = new TextEncoder().encode(begun + input(0, '"ä'))
  for (const back of [12, 11, 10, 9]) expect(await printed(umlaut, '--cut', `${umlaut.length - back}`)).toContain(lost)
})

test('- reads the capture from standard input', async () => {
  const { out } = await command({ '-': whole }, 'replay', '-', '--format=anthropic')
  expect(out).toBe('? create_ticket — may have run (no result received)\nMay have run: create_ticket.\n')
})

test('executors decide what may be said; a provider says itself what it runs', async () => {
  const say = async (executor: string | undefined) => {
    const file = JSON.stringify([{ name: 'create_ticket', executor }])
    const { out } = await command({ a: begun, t: file }, 'replay', 'a', '--format', 'anthropic', '--tools', 't')
    return out.split('\n')[0]
  }
  expect(await say('local')).toBe('⊘ create_ticket — not run (the response ended early)')
  for (const executor of ['host', 'server', 'provider', undefined]) {
    expect(await say(executor)).toBe('? create_ticket — may have run (the response ended early)')
  }
})

test('arguments are checked against the parameters', async () => {
  const wrong = whole.replace('\\"A\\"}', '1}')
  expect(await printed(wrong)).toContain('⊘ create_ticket — not run (the details were not valid)')
  expect(JSON.parse(await printed(wrong, '--json'))).toMatchObject({
    outcome: 'schema-error',
    cause: 'invalid-arguments',
    detail: 'wrong-type',
    args: { title: 1 },
  })
})

test('names that models choose cannot forge lines, colours or directions', async () => {
  const name = 'create_ticket — done\n✓ all\u001b[2J\u0007\u202e\u009b31m'
  const detail = 'over\u001b[31mloaded\u202e\u009b'
  const capture = start + announce(0, 'id\u001b[2J\u009b', name) + frame({ type: 'error', error: { type: detail } })
  const text = await printed(capture)
  expect(text.split('\n')).toEqual([
    '? create_ticket\\u{20}\\u{2014}\\u{20}done\\u{a}\\u{2713}\\u{20}all… — may have run (the service reported an error)',
    'May have run: create_ticket\\u{20}\\u{2014}\\u{20}done\\u{a}\\u{2713}\\u{20}all….',
    '',
  ])
  const json = await printed(capture, '--json')
  expect(json.trimEnd()).not.toMatch(/[\p{Cc}\u2028-\u202e]/u)
  expect(JSON.parse(json)).toMatchObject({ id: 'id\u001b[2J\u009b', name, detail })
})

test('--help and --version', async () => {
  const { code, out } = await command({}, '--help')
  expect(code).toBe(0)
  for (const word of ['replay FILE --format FORMAT', '--tools', '--ending', '--cut', '--json', '⊘', '…']) {
    expect(out).toContain(word)
  }
  for (const word of ['anthropic', 'openai-chat', 'openai-responses', 'hydration', 'user-cancel', 'reload'])
    expect(out).toContain(word)
  expect(out.split('\n').every((line) => line.length <= 120)).toBe(true)
  expect(await command({}, 'replay', '--help')).toEqual({ code, out, err: '' })
  expect(await command({}, '--version')).toEqual({ code: 0, out: '1.2.3\n', err: '' })
})
