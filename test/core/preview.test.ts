import { describe, expect, test } from 'vitest'
import { HEAD_LENGTH } from '../../src/core/argument-buffer.ts'
import { askedRows, type Preview, Previewer } from '../../src/core/preview.ts'
import type { ToolDeclaration } from '../../src/core/tools.ts'

/** Documents that are awkward to cut. */
const DOCUMENTS: Record<string, string> = {
  'a ticket': '{"project":"WAREHOUSE","title":"Stock count differs","priority":"normal","urgent":false}',
  numbers: '{"a":12,"b":-1204.5,"c":6.02e23,"d":0.001,"e":1E-7,"f":[10,200,-3000],"g":{"h":45}}',
  'literals that begin alike': '{"a":true,"b":false,"c":null,"d":[true,null,false],"e":"true"}',
  escapes:
    '{"path":"C:\\\\temp\\\\new","quote":"she said \\"no\\"","line":"a\\nb","tab\\"key":"x","u":"\\u00e9\\u2028"}',
  'surrogate pairs': '{"raw":"🎫 ticket 🎫","escaped":"\\ud83c\\udfab","nested":["🎫","\\ud83c\\udfab"],"🎫":1}',
  nested: '{"lines":[{"account":"4711","amount":12},{"account":"4712","amount":130}],"note":{"to":["a","b"]}}',
  'braces and commas in texts': '{"a":"} , \\" { [ ] : ","b":[",","}"],"c":"x"}',
  'blanks everywhere': ' {\n  "a" : 12 ,\n  "b" : [ 1 , 2 ] ,\n  "c" : "x"\n}\n',
  'keys like indices': '{"b":"first","10":"second","2":"third","a":"fourth"}',
  'a key called __proto__': '{"a":"x","__proto__":{"polluted":true},"constructor":"y","b":"z"}',
  'deep nesting': `{"a":"x","deep":${'['.repeat(60)}1${']'.repeat(60)},"b":"y"}`,
  'an empty key': '{"":"x","a":""}',
}

/** What the row of each member shows when all has come. */
function shownAtLast(value: Readonly<Record<string, unknown>>): Map<string, string> {
  return new Map(
    Object.entries(value).map(([key, member]) => [
      key,
      typeof member === 'string' ? member.replace(/\u2028/g, '') : JSON.stringify(member),
    ]),
  )
}

function pathsOf(rows: Preview): string[] {
  return rows.map(({ path }) => path)
}

for (const [what, document] of Object.entries(DOCUMENTS)) {
  describe(`${what}, cut anywhere`, () => {
    const value: Record<string, unknown> = JSON.parse(document)
    const final = shownAtLast(value)
    const numbers = new Set(document.match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)?.map(Number))

    test('no row vanishes, and rows keep the order in which their members began', () => {
      const previewer = new Previewer()
      let before: string[] = []
      for (let length = 0; length <= document.length; length++) {
        const paths = pathsOf(previewer.rows(document.slice(0, length), 'json', undefined))
        expect(paths.slice(0, before.length)).toEqual(before)
        before = paths
      }
      const began = [...document.matchAll(/"((?:[^"\\]|\\.)*)"\s*:/g)].map(([, key]) => JSON.parse(`"${key}"`))
      expect(before).toEqual(began.filter((key) => before.includes(key)))
      expect(new Set(before)).toEqual(new Set([...final.keys()].filter((key) => key !== '__proto__')))
    })

    test('a number is shown whole or not at all', () => {
      for (let length = 0; length <= document.length; length++) {
        for (const { path, text } of new Previewer().rows(document.slice(0, length), 'json', undefined)) {
          if (typeof value[path] === 'string') continue
          const outsideOfTexts = text.replace(/"(?:[^"\\]|\\.)*"/g, '')
          for (const number of outsideOfTexts.match(/-?\d[\d.eE+-]*/g) ?? []) expect(numbers).toContain(Number(number))
        }
      }
    })

    test('a text is the beginning of what it will be, without half a character', () => {
      for (let length = 0; length <= document.length; length++) {
        for (const { path, text } of new Previewer().rows(document.slice(0, length), 'json', undefined)) {
          expect(() => encodeURIComponent(text)).not.toThrow()
          expect(text).not.toMatch(/\\ud[89a-f]/i)
          if (typeof value[path] === 'string') expect(final.get(path)?.startsWith(text)).toBe(true)
        }
      }
    })

    test('a row is settled once another member has begun, and then shows the final value', () => {
      for (let length = 0; length <= document.length; length++) {
        const rows = new Previewer().rows(document.slice(0, length), 'json', undefined)
        for (const { path, text, settled } of rows) {
          if (settled) expect(text).toBe(final.get(path))
        }
        // The last member that began is never settled, not even by the end of the document.
        expect(rows.slice(0, -1).every(({ settled }) => settled)).toBe(true)
      }
    })

    test('it does not matter in which steps it came', () => {
      const steps = new Previewer()
      for (let length = 0; length <= document.length; length += 3)
        steps.rows(document.slice(0, length), 'json', undefined)
      expect(steps.rows(document, 'json', undefined)).toEqual(new Previewer().rows(document, 'json', undefined))
    })
  })
}

describe('a preview', () => {
  test('says of each member what is known of it', () => {
    const rows = new Previewer().rows(
      '{"project":"WAREHOUSE","count":312,"description":"Aisle 7 was',
      'json',
      undefined,
    )
    expect(rows).toEqual([
      { path: 'project', text: 'WAREHOUSE', settled: true },
      { path: 'count', text: '312', settled: true },
      { path: 'description', text: 'Aisle 7 was', settled: false },
    ])
  })

  test('settles a member when the next key begins, not at a comma', () => {
    const at = (text: string) => new Previewer().rows(text, 'json', undefined)
    expect(at('{"a":"x"')).toEqual([{ path: 'a', text: 'x', settled: false }])
    expect(at('{"a":"x",')).toEqual([{ path: 'a', text: 'x', settled: false }])
    expect(at('{"a":"x","')).toEqual([{ path: 'a', text: 'x', settled: true }])
    expect(at('{"a":"x"}')).toEqual([{ path: 'a', text: 'x', settled: false }])
  })

  test('of a key that comes twice is one row, open again while the second goes on', () => {
    const at = (text: string) => new Previewer().rows(text, 'json', undefined)
    expect(at('{"a":"one","b":"x"')).toEqual([
      { path: 'a', text: 'one', settled: true },
      { path: 'b', text: 'x', settled: false },
    ])
    expect(at('{"a":"one","b":"x","a":"tw')).toEqual([
      { path: 'a', text: 'tw', settled: false },
      { path: 'b', text: 'x', settled: true },
    ])
  })

  test('begins anew when its buffer does', () => {
    const previewer = new Previewer()
    previewer.rows('{"title":"old","priority":"low"', 'json', undefined)
    expect(previewer.rows('{"ti', 'json', undefined)).toEqual([])
    expect(previewer.rows('{"title":"new', 'json', undefined)).toEqual([{ path: 'title', text: 'new', settled: false }])
  })

  test('is the same rows while nothing came, so that nothing is drawn again', () => {
    const previewer = new Previewer()
    const rows = previewer.rows('{"a":"x', 'json', undefined)
    expect(previewer.rows('{"a":"x', 'json', undefined)).toBe(rows)
  })

  test('of a free text is the text', () => {
    expect(new Previewer().rows('SELECT {1 \u001b[31m', 'text', undefined)).toEqual([
      { path: '', text: 'SELECT {1 ', settled: false },
    ])
  })

  test('strips what must not be shown, in keys and in values', () => {
    const text = '{"na\\u202eme":"a\\u001b[31mb\\u202ec\\u0000","nested":["\\u202e","\\u001b[31m"]}'
    const rows = new Previewer().rows(text, 'json', undefined)
    expect(rows[0]).toEqual({ path: 'name', text: 'abc', settled: true })
    expect(rows[1]).toEqual({ path: 'nested', text: '["","\\u001b[31m"]', settled: false })
  })

  test('reads own members only', () => {
    const rows = new Previewer().rows('{"__proto__":{"title":"x"},"toString":"y"', 'json', undefined)
    expect(rows).toEqual([{ path: 'toString', text: 'y', settled: false }])
    expect({}).not.toHaveProperty('title')
  })

  test('never throws, whatever it reads', () => {
    const texts = [
      '',
      ' ',
      '\ufeff{',
      '}',
      ']',
      '"',
      '"\\',
      '"\\u12',
      '-',
      '1e',
      '{"a":-',
      '{"a":NaN,"b":Infinity',
      '{a:1}',
      "{'a':1}",
      '{"a":1,,"b":2}',
      '{"a" "b"}',
      '{"a":1}}}}{"b":2',
      '[1,2',
      'nul',
      '<html>',
      '{"a":"x\ny"}',
      '['.repeat(HEAD_LENGTH),
      '{"a":'.repeat(HEAD_LENGTH / 5),
      '{"a":[{"b":'.repeat(400),
      '\ud83c',
      '{"\ud83c',
    ]
    for (const text of texts) {
      for (let length = 0; length <= Math.min(text.length, 50); length++) {
        expect(() => new Previewer().rows(text.slice(0, length), 'json', undefined)).not.toThrow()
      }
      expect(() => new Previewer().rows(text, 'json', undefined)).not.toThrow()
    }
  })

  test('of a document that is no object shows its text, but no number that may go on', () => {
    const at = (text: string) => new Previewer().rows(text, 'json', undefined)
    expect(at('"a te')).toEqual([{ path: '', text: 'a te', settled: false }])
    expect(at('["a","b')).toEqual([{ path: '', text: '["a","b"]', settled: false }])
    for (const text of ['1', '12', '1204', '-1', '1e5']) expect(at(text)).toEqual([])
  })
})

describe('what a tool lets be shown', () => {
  const text = '{"account":"4711","pin":"0000","note":"rent"}'
  const shown = (tool: Partial<ToolDeclaration>, document = text) =>
    pathsOf(new Previewer().rows(document, 'json', { executor: 'local', ...tool }))

  test('all, unless it says otherwise', () => {
    expect(shown({})).toEqual(['account', 'pin', 'note'])
  })

  test('all but what is sensitive', () => {
    expect(shown({ sensitive: ['pin'] })).toEqual(['account', 'note'])
  })

  test('only what is for display, and of that nothing that is sensitive', () => {
    expect(shown({ display: ['note'] })).toEqual(['note'])
    expect(shown({ display: [] })).toEqual([])
    expect(shown({ display: ['note', 'pin'], sensitive: ['pin'] })).toEqual(['note'])
  })

  test('a sensitive member does not show by another spelling of its key', () => {
    expect(shown({ sensitive: ['pin'] }, '{"p\\u0069n":"0000","note":"rent"}')).toEqual(['note'])
    for (let length = 0; length <= text.length; length++) {
      const rows = new Previewer().rows(text.slice(0, length), 'json', { executor: 'local', sensitive: ['pin'] })
      expect(JSON.stringify(rows)).not.toContain('0')
    }
  })

  test('a settled row says so also when the member that came after it is hidden', () => {
    expect(
      new Previewer().rows('{"account":"4711","pin":"00', 'json', { executor: 'local', sensitive: ['pin'] }),
    ).toEqual([{ path: 'account', text: '4711', settled: true }])
  })

  test('nothing of a document that has no members, where some may not be shown', () => {
    const doubled = JSON.stringify(text)
    for (const document of [doubled, `[${text}]`, '"0000"']) {
      expect(shown({ sensitive: ['pin'] }, document)).toEqual([])
      expect(shown({ display: ['note'] }, document)).toEqual([])
    }
    expect(new Previewer().rows('pin 0000', 'text', { executor: 'local', display: [] })).toEqual([])
    expect(new Previewer().rows('pin 0000', 'text', { executor: 'local', sensitive: ['pin'] })).toEqual([])
  })
})

describe('what a person is asked about', () => {
  test('is all there is, written out where it could not be seen, and final', () => {
    expect(askedRows({ to: 'eve\u202e', amount: 12, tags: ['a\u200b'], 'k\u200b': null }, undefined)).toEqual([
      { path: 'to', text: 'eve\\u{202e}', settled: true },
      { path: 'amount', text: '12', settled: true },
      { path: 'tags', text: '["a\\u{200b}"]', settled: true },
      { path: 'k\\u{200b}', text: 'null', settled: true },
    ])
    expect(askedRows('free text\u202e', undefined)).toEqual([{ path: '', text: 'free text\\u{202e}', settled: true }])
  })

  test('leaves out what the tool hides, and is nothing where there is nothing whole', () => {
    const tool = { executor: 'local', sensitive: ['iban'] } as const
    expect(askedRows({ to: 'Ann', iban: 'DE89' }, tool)).toEqual([{ path: 'to', text: 'Ann', settled: true }])
    expect(askedRows('DE89', tool)).toEqual([])
    expect(askedRows(null, undefined)).toEqual([])
  })
})
