import fc from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'
import { run } from '../../src/cli/run.ts'

const FORMATS =
  'ag-ui, ai-ui-message-stream, anthropic, bedrock-converse, cohere-v2, gemini, hydration, langgraph, mistral, ollama, openai-chat, openai-responses, tanstack-ai'

const capture = `data: ${JSON.stringify({ type: 'message_start', message: { id: 'm' } })}\n\n`
const files: Readonly<Record<string, string>> = {
  'good.sse': capture,
  'empty.sse': '',
  'chat.sse': 'data: {"object":"chat.completion.chunk","choices":[]}\n\ndata: [DONE]\n\n',
  'cut.sse': capture.slice(0, 20),
  'text.txt': 'I am not a stream.\n',
  'broken.json': '{ "name": ',
  'object.json': '{ "name": "create_ticket" }',
  'nameless.json': '[{ "name": "a" }, { "executor": "local" }]',
  'null.json': '[null]',
  'twice.json': '[{ "name": "a" }, { "name": "a" }]',
  'executor.json': '[{ "name": "a", "executor": "client" }]',
  'inherited.json': '[{ "name": "a", "executor": "constructor" }]',
  'schema.json': '[{ "name": "a", "parameters": { "type": "objekt" } }]',
  'reference.json': '[{ "name": "a", "parameters": { "$ref": "#/$defs/gone" } }]',
}

// As the command sets it for itself: the store's warnings are for developers.
beforeAll(() => {
  vi.stubEnv('NODE_ENV', 'production')
  return () => vi.unstubAllEnvs()
})

async function refusal(...argv: string[]): Promise<string> {
  let said = ''
  const code = await run(argv, {
    version: '1.2.3',
    async read(file) {
      const text = files[file]
      if (file === 'folder') throw Object.assign(new Error('EISDIR'), { code: 'EISDIR' })
      if (file === 'secret') throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
      if (file === 'disk') throw Object.assign(new Error('EIO'), { code: 'EIO' })
      if (text === undefined) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' })
      return new TextEncoder().encode(text)
    },
    out: () => {
      throw new Error('Something was printed.')
    },
    err: (text) => {
      said += text
    },
  })
  expect(code).toBe(2)
  expect(said).toMatch(/^honest-tool-calls: [^\n]+\n$/)
  return said.slice('honest-tool-calls: '.length, -1)
}

const replay = (...argv: string[]) => refusal('replay', ...argv)
const withTools = (file: string) => replay('good.sse', '--format', 'anthropic', '--tools', file)

test('a command line that asks for nothing', async () => {
  expect(await refusal()).toBe('no command given. Try: honest-tool-calls --help')
  expect(await refusal('record')).toBe('unknown command "record". There is one: replay')
  expect(await replay()).toBe('no FILE given. Try: honest-tool-calls replay FILE --format FORMAT')
  expect(await replay('', '--format', 'anthropic')).toContain('no FILE given')
  expect(await replay('a.sse', 'b.sse', '--format', 'anthropic')).toBe('one FILE at a time, not "a.sse" and "b.sse"')
})

test('options that are unknown, incomplete or out of range', async () => {
  expect(await replay('good.sse')).toBe(`--format is missing. Known formats: ${FORMATS}`)
  expect(await replay('good.sse', '--format', 'morse')).toBe(`unknown format "morse". Known formats: ${FORMATS}`)
  expect(await replay('good.sse', '--format', 'constructor')).toContain('unknown format')
  expect(await replay('good.sse', '--format=anthropic', '--ending', 'crash')).toBe(
    'unknown ending "crash". Known endings: done, eof, error, stall, user-cancel, reload',
  )
  expect(await replay('good.sse', '--speed', '2')).toBe("unknown option '--speed'. Try: honest-tool-calls --help")
  expect(await replay('good.sse', '-x')).toContain("unknown option '-x'")
  expect(await replay('good.sse', '--format')).toContain("option '--format <value>' argument missing")
  expect(await replay('good.sse', '--format', '--json')).toContain("option '--format' argument is ambiguous")
  expect(await replay('good.sse', '--json=yes')).toContain("option '--json' does not take an argument")
})

test('--cut takes whole numbers only', async () => {
  for (const bytes of ['-1', '1.5', '1e3', 'half', '', ' 1', '0x10', 'NaN', '9'.repeat(40)]) {
    expect(await replay('good.sse', '--format=anthropic', `--cut=${bytes}`)).toContain(
      '--cut takes a whole number of bytes, not "',
    )
  }
})

test('files that cannot be read', async () => {
  expect(await replay('gone.sse', '--format', 'anthropic')).toBe('gone.sse does not exist')
  expect(await replay('folder', '--format', 'anthropic')).toBe('folder is a directory')
  expect(await replay('secret', '--format', 'anthropic')).toBe('secret may not be read')
  expect(await replay('disk', '--format', 'anthropic')).toBe('disk cannot be read (EIO)')
  expect(await replay('-', '--format', 'anthropic')).toBe('standard input does not exist')
  expect(await withTools('gone.json')).toBe('gone.json does not exist')
})

test('captures with nothing to replay', async () => {
  expect(await replay('empty.sse', '--format', 'anthropic')).toBe('empty.sse is empty')
  const none = 'there is no whole event of the format anthropic in'
  expect(await replay('chat.sse', '--format', 'anthropic')).toBe(`${none} chat.sse. Is --format right?`)
  expect(await replay('cut.sse', '--format', 'anthropic')).toContain(none)
  expect(await replay('text.txt', '--format', 'anthropic', '--json')).toContain(none)
  expect(await replay('text.txt', '--format', 'anthropic', '--cut', '3')).toContain(none)
  expect(await replay('good.sse', '--format', 'openai-chat')).toContain('no whole event of the format openai-chat')
  expect(await replay('good.sse', '--format', 'openai-responses')).toContain('openai-responses in good.sse')
})

test('tools files that are none', async () => {
  expect(await withTools('broken.json')).toBe('broken.json is not JSON')
  expect(await withTools('object.json')).toBe('object.json must be an array: [{ "name", "executor", "parameters" }]')
  expect(await withTools('nameless.json')).toBe('nameless.json: entry 2 has no "name"')
  expect(await withTools('null.json')).toBe('null.json: entry 1 has no "name"')
  expect(await withTools('twice.json')).toBe('twice.json: the tool "a" is there twice')
  expect(await withTools('executor.json')).toBe(
    'executor.json: the executor of "a" is not one of local, host, server, provider',
  )
  expect(await withTools('inherited.json')).toContain('is not one of local')
  expect(await withTools('schema.json')).toBe(
    'schema.json: the parameters of "a": the JSON Schema is malformed at #: "type" must be a type of JSON, or an array of them',
  )
  expect(await withTools('reference.json')).toContain('"$ref" "#/$defs/gone" is not in it')
})

test('what is quoted from the command line cannot break out of its line', async () => {
  expect(await replay('a\u001b[2J\nb.sse', '--format', 'anthropic')).toBe('a b.sse does not exist')
  expect(await replay('a', '--format', `x\u202e\n${'y'.repeat(500)}`)).toMatch(/^unknown format "x y+…"\. Known/)
  expect(await replay('a', '--\u001b[31mx\nhonest-tool-calls: fine')).toMatch(/^unknown option/)
})

test('whatever bytes a file holds, they are replayed or refused', async () => {
  const formats = fc.constantFrom(...FORMATS.split(', '))
  const pieces = fc.constantFrom(
    'data: ',
    '{"type":"',
    'content_block_start',
    '"}',
    '{"choices":[{}]}',
    '[DONE]',
    '\n\n',
  )
  const bytes = fc.oneof(
    fc.uint8Array(),
    fc.array(fc.oneof(pieces, fc.string())).map((text) => Buffer.from(text.join(''))),
  )
  await fc.assert(
    fc.asyncProperty(bytes, formats, async (content, format) => {
      const said: string[] = []
      const say = (text: string) => void said.push(text)
      const read = async () => content
      const code = await run(['replay', 'a', '--format', format, '--json'], { version: '', read, out: say, err: say })
      expect([0, 2]).toContain(code)
      expect(said).toHaveLength(1)
    }),
    { numRuns: 300 },
  )
})
