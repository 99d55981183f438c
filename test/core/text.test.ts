import { describe, expect, test } from 'vitest'
import { plainName, plainText, visibleText } from '../../src/core/text.ts'

describe('a name that a model chose', () => {
  const cases: readonly { name: string; shown: string }[] = [
    { name: 'create_ticket', shown: 'create_ticket' },
    { name: 'mcp.files-2.read', shown: 'mcp.files-2.read' },
    { name: '', shown: '' },
    { name: 'create_ticket — done', shown: 'create_ticket\\u{20}\\u{2014}\\u{20}done' },
    { name: 'a b', shown: 'a\\u{20}b' },
    { name: 'сreate', shown: '\\u{441}reate' },
    { name: 'pay\u202etekcit', shown: 'pay\\u{202e}tekcit' },
    { name: 'a\u001b[31mb', shown: 'a\\u{1b}\\u{5b}31mb' },
    { name: 'a\nb', shown: 'a\\u{a}b' },
    { name: '🎫', shown: '\\u{1f3ab}' },
    { name: 'a\ud83d', shown: 'a\\u{d83d}' },
    { name: '<b>x</b>', shown: '\\u{3c}b\\u{3e}x\\u{3c}\\u{2f}b\\u{3e}' },
    { name: 'a\\u{20}b', shown: 'a\\u{5c}u\\u{7b}20\\u{7d}b' },
    { name: 'a'.repeat(64), shown: 'a'.repeat(64) },
    { name: 'a'.repeat(65), shown: `${'a'.repeat(63)}…` },
    { name: `${'a'.repeat(60)} b`, shown: `${'a'.repeat(60)}…` },
    { name: `${'a'.repeat(57)} b`, shown: `${'a'.repeat(57)}\\u{20}b` },
    { name: `${'a'.repeat(58)} c`, shown: `${'a'.repeat(58)}…` },
    { name: `${'a'.repeat(58)} `, shown: `${'a'.repeat(58)}\\u{20}` },
  ]

  for (const { name, shown } of cases) {
    test(`${JSON.stringify(name)} is shown as ${shown === '' ? 'nothing' : shown}`, () => {
      expect(plainName(name)).toBe(shown)
    })
  }

  test('is never longer than 64 and never has other characters, however hostile', () => {
    for (const name of ['\u202e'.repeat(100), '🎫'.repeat(100), 'x'.repeat(1_000_000), `${'a'.repeat(63)}—`]) {
      expect(plainName(name)).toMatch(/^[A-Za-z0-9_.\\u{}-]*…?$/)
      expect(plainName(name).length).toBeLessThanOrEqual(64)
    }
  })
})

describe('untrusted text', () => {
  const cases: readonly { what: string; text: string; shown: string }[] = [
    { what: 'plain text', text: 'Invoice run, 1.204 of 3.880 — “late”', shown: 'Invoice run, 1.204 of 3.880 — “late”' },
    { what: 'tabs and line feeds', text: 'a\tb\nc', shown: 'a\tb\nc' },
    { what: 'a colour', text: 'a\u001b[1;31mred\u001b[0m', shown: 'ared' },
    { what: 'a colour cut off in its parameters', text: 'a\u001b[1;3', shown: 'a' },
    { what: 'a colour cut off after its bracket', text: 'a\u001b[', shown: 'a' },
    { what: 'an escape alone at the end', text: 'a\u001b', shown: 'a' },
    { what: 'a sequence that is none', text: 'a\u001b[3é', shown: 'a3é' },
    { what: 'a window title', text: 'a\u001b]0;owned\u0007b', shown: 'ab' },
    { what: 'a link', text: '\u001b]8;;https://example.org\u001b\\text\u001b]8;;\u001b\\', shown: 'text' },
    { what: 'a title that never ends', text: 'a\u001b]0;owned', shown: 'a' },
    { what: 'a device control string', text: 'a\u001bPq#0\u001b\\b', shown: 'ab' },
    { what: 'a charset switch', text: 'a\u001b(0b', shown: 'ab' },
    { what: 'a C1 colour', text: 'a\u009b31mb', shown: 'ab' },
    { what: 'a C1 title', text: 'a\u009d0;owned\u009cb', shown: 'ab' },
    { what: 'other C1 controls', text: 'a\u0085b\u008dc', shown: 'abc' },
    { what: 'controls', text: 'a\u0000b\u0008c\u007fd\re', shown: 'abcde' },
    { what: 'bidi overrides', text: 'a\u202eb\u202cc', shown: 'abc' },
    { what: 'bidi isolates and marks', text: '\u2066a\u2069\u200e\u200f\u061cb', shown: 'ab' },
    { what: 'line and paragraph separators', text: 'a\u2028b\u2029c', shown: 'abc' },
    { what: 'a whole pair', text: 'a🎫b', shown: 'a🎫b' },
    { what: 'a high surrogate alone', text: 'a\ud83cb\ud83c', shown: 'ab' },
    { what: 'a low surrogate alone', text: '\udfaba\udfab', shown: 'a' },
    { what: 'a pair the wrong way round', text: '\udfab\ud83c', shown: '' },
    { what: 'an escape hidden in an escape', text: '\u001b\u001b[31m[31mred', shown: '[31mred' },
    { what: 'an escape held apart by a control', text: 'a\u001b\u0000[31mb', shown: 'a[31mb' },
    { what: 'right-to-left text', text: 'שלום', shown: 'שלום' },
  ]

  for (const { what, text, shown } of cases) {
    test(`${what}`, () => {
      expect(plainText(text)).toBe(shown)
    })
  }

  test('is fit to be shown after one pass, whatever stood in it', () => {
    const pieces = [
      '\u001b',
      '[',
      ']',
      '0',
      ';',
      'm',
      '\u0007',
      '\\',
      '\u009b',
      '\u202e',
      '\ud83c',
      '\udfab',
      '\u2028',
      'é',
    ]
    for (let number = 0; number < pieces.length ** 4; number += 7) {
      let text = ''
      for (let rest = number; text.length < 4; rest = Math.floor(rest / pieces.length)) {
        text += pieces[rest % pieces.length] ?? ''
      }
      const shown = plainText(text)
      expect(shown).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u)
      // Throws on half a pair.
      expect(() => encodeURIComponent(shown)).not.toThrow()
      expect(plainText(shown)).toBe(shown)
    }
  })

  test('takes time in proportion to its length', () => {
    const started = performance.now()
    for (const piece of ['\u001b[', '\u001b]', '\u001b[0', '\u001b]0;', '\u001b[ ', '0;']) {
      plainText(piece.repeat(100_000))
      plainText(`\u001b[${piece.repeat(100_000)}é`)
    }
    expect(performance.now() - started).toBeLessThan(2000)
  })
})

describe('text that a person decides on', () => {
  test.each([
    ['the direction turned around', 'pay \u202eeve\u202c', 'pay \\u{202e}eve\\u{202c}'],
    ['nothing to see', 'a\u200bb\ufeffc\u00add', 'a\\u{200b}b\\u{feff}c\\u{ad}d'],
    ['a tag that spells in the dark', 'ok\u{e0041}', 'ok\\u{e0041}'],
    ['a terminal escape', '\u001b[2Kdone', '\\u{1b}[2Kdone'],
    ['line separators, and a carriage return that writes over', 'a\u2028b\rc', 'a\\u{2028}b\\u{d}c'],
    ['half a character', 'a\ud800b\udc00', 'a\\u{d800}b\\u{dc00}'],
  ])('%s is written out, and nothing is left out', (_, text, visible) => {
    expect(visibleText(text)).toBe(visible)
  })

  test.each(['plain, with — dashes', 'two\nlines\r\nand\ta tab', '👩‍👩‍👧 و می‌خواهم', '<b>not markup</b>'])(
    '%j is as it was',
    (text) => {
      expect(visibleText(text)).toBe(text)
    },
  )
})
