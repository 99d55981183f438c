import { expect, test } from 'vitest'
import { rawTextOf } from '../../src/record/raw-text.ts'
import { settledCall } from './settled-call.ts'

const of = (changes: Parameters<typeof settledCall>[0], limit = 4096) =>
  rawTextOf(settledCall(changes), 'id', '2026-01-08T00:00:00.000Z', limit)

test('the text comes with the time at which the host is to delete it', () => {
  expect(of({ raw: '{"a":"b' })).toEqual({
    id: 'id',
    text: '{"a":"b',
    isCut: false,
    expiresAt: '2026-01-08T00:00:00.000Z',
  })
})

test('it is cut to bytes, never inside a character', () => {
  const raw = '\ufeffa\u00e9\ud83d\ude00'
  const texts = Array.from({ length: 11 }, (_, place) => of({ raw }, place + 1))
  expect(texts.map((raw) => raw.text)).toEqual([
    '',
    '',
    '\ufeff',
    '\ufeffa',
    '\ufeffa',
    '\ufeffa\u00e9',
    '\ufeffa\u00e9',
    '\ufeffa\u00e9',
    '\ufeffa\u00e9',
    '\ufeffa\u00e9\ud83d\ude00',
    '\ufeffa\u00e9\ud83d\ude00',
  ])
  expect(texts.map((raw) => 'isCut' in raw && raw.isCut)).toEqual([...Array(9).fill(true), false, false])
})

test('half a character that came is replaced, so that the text is well-formed', () => {
  expect(of({ raw: '{"a":"\ud83d' }).text).toBe('{"a":"\ufffd')
})

test('it is redacted before it is cut: a cut must not hide where a secret begins', () => {
  const raw = `{"a":"${'x'.repeat(20)}","pin":"12345678"}`
  for (let limit = 1; limit <= raw.length; limit++)
    expect(of({ raw, sensitive: ['pin'] }, limit).text).not.toMatch(/\d/)
  // Control: the digits would have been there.
  expect(of({ raw }).text).toContain('12345678')
})

test('it is withheld where nobody can tell what of it is sensitive', () => {
  expect(of({ known: false })).toEqual({ id: 'id', text: null, withheld: 'unknown-tool' })
  expect(of({ encoding: 'text', sensitive: ['a'] })).toEqual({ id: 'id', text: null, withheld: 'free-text' })
  expect(of({ raw: '["x"]', sensitive: ['a'] })).toEqual({ id: 'id', text: null, withheld: 'not-an-object' })
  expect(of({ raw: '{"a":1}}', sensitive: ['a'] })).toEqual({ id: 'id', text: null, withheld: 'lost-track' })
  // Controls: nothing is sensitive.
  expect(of({ encoding: 'text', raw: 'SELECT 1' }).text).toBe('SELECT 1')
  expect(of({ raw: '{"a":1}}' }).text).toBe('{"a":1}}')
})
