import { expect, test } from 'vitest'
import { redact } from '../../src/record/redact.ts'

const hide = (text: string, sensitive: readonly string[] = ['password']): string => {
  const redaction = redact(text, sensitive)
  return redaction.ok ? redaction.text : `(${redaction.reason})`
}

test('the values of sensitive members are replaced, and nothing else', () => {
  expect(hide('{"user":"ann","password":"s3cret","n":1}')).toBe('{"user":"ann","password":"[redacted]","n":1}')
  expect(hide(' { "password" : 1234 , "a" : [ "b" ] } ')).toBe(' { "password" : "[redacted]" , "a" : [ "b" ] } ')
  expect(hide('{"password":null,"a":true}')).toBe('{"password":"[redacted]","a":true}')
  expect(hide('{"user":"ann"}')).toBe('{"user":"ann"}')
})

test('nothing declared, nothing hidden, whatever the text is', () => {
  for (const text of ['', 'free text', '{"password":"x"}', '{"a":1}}', '[1'])
    expect(redact(text, [])).toEqual({ ok: true, text })
})

test('a repeated key is hidden each time', () => {
  expect(hide('{"password":"a1","password":"b2"}')).toBe('{"password":"[redacted]","password":"[redacted]"}')
})

test('a key counts in every spelling that means the same', () => {
  expect(hide('{"pass\\u0077ord":"s3cret"}')).toBe('{"pass\\u0077ord":"[redacted]"}')
  expect(hide('{"Password":"a","PASS_WORD":"b","pass-word":"c"}')).toBe(
    '{"Password":"[redacted]","PASS_WORD":"[redacted]","pass-word":"[redacted]"}',
  )
  expect(hide('{"api_key":"a","keyring":"b"}', ['apiKey'])).toBe('{"api_key":"[redacted]","keyring":"b"}')
  expect(hide('{"$":"a","%":"b"}', ['$'])).toBe('{"$":"[redacted]","%":"b"}')
  expect(hide('{"__proto__":"a","constructor":"b"}', ['__proto__'])).toBe(
    '{"__proto__":"[redacted]","constructor":"b"}',
  )
})

test('a member of that name is hidden at any depth, a value of that text is not', () => {
  expect(hide('{"a":{"b":[{"password":"x"}]},"c":"password"}')).toBe(
    '{"a":{"b":[{"password":"[redacted]"}]},"c":"password"}',
  )
})

test('a string with members of its own is hidden: nobody looked which', () => {
  expect(hide('{"input":"{\\"password\\":\\"s3cret\\"}","a":"b: c"}')).toBe('{"input":"[redacted]","a":"b: c"}')
  expect(hide('{"input":"{\\"pass\\\\u0077ord\\" :')).toBe('{"input":"[redacted]"')
  expect(hide('{"{\\"password\\":1}":2}')).toBe('{"[redacted]":"[redacted]"}')
})

test('the beginning of a document is read as far as it goes, wherever it was cut', () => {
  const text = '{"user":"ann","password":"s3\\u00e9\\"\ud83d\ude00x"}'
  const secret = text.indexOf('"s3')
  for (let length = 1; length <= text.length; length++) {
    // Up to its colon a key may be anything.
    const key = ['"user"', '"password"']
      .map((key) => text.indexOf(key))
      .find((at) => length > at && length < text.indexOf(':', at) + 1)
    const kept = hide(text.slice(0, length))
    if (length > secret) expect(kept).toBe(`${text.slice(0, secret)}"[redacted]"${length === text.length ? '}' : ''}`)
    else expect(kept).toBe(text.slice(0, key ?? length))
  }
  expect(hide('{"password":12')).toBe('{"password":"[redacted]"')
  expect(hide('{"password":tr')).toBe('{"password":"[redacted]"')
})

test('a key that is cut may be a value: a list that lost its bracket goes on like this', () => {
  expect(hide('{"a":1,"password":"x","y')).toBe('{"a":1,"password":"[redacted]",')
  expect(hide('{"a":1,"password":"x","y" ')).toBe('{"a":1,"password":"[redacted]",')
  expect(hide('{"a":1,"password":"x","y":')).toBe('{"a":1,"password":"[redacted]","y":')
  expect(hide('{"a":1,"password":"x","y"]')).toBe('(lost-track)')
})

test('after the beginning of a sensitive object nothing is kept: a brace too early would bring it out', () => {
  expect(hide('{"a":1,"card":{"name":"x"},"number":"4111"}', ['card'])).toBe('{"a":1,"card":"[redacted]"')
  expect(hide('{"a":1,"card":{"name":"x"},"number":"4111', ['card'])).toBe('{"a":1,"card":"[redacted]"')
  expect(hide('{"a":1,"card":["x"', ['card'])).toBe('{"a":1,"card":"[redacted]"')
  // Control: an object that is not sensitive hides nothing, and what is broken behind a sensitive one is broken.
  expect(hide('{"a":{"name":"x"},"number":"4111"}', ['card'])).toBe('{"a":{"name":"x"},"number":"4111"}')
  expect(hide('{"card":{"name":"x"}},"number":"4111"}', ['card'])).toBe('(lost-track)')
})

test('where it lost track there is no text', () => {
  for (const text of [
    '{"a":1,}{"password":"x"}',
    '{"password":"x"}{"a":1}',
    '{"password":"a"b","c":1}',
    '{"a":"b,"password":"x"}',
    '{password:"x"}',
    '{"a":\'b\',"password":"x"}',
    '{"password":"x"}}',
    '{"note":"a\nb","password":"x"}',
    '{"a":[1},"password":"x"}',
  ])
    expect(hide(text)).toBe('(lost-track)')
})

test('what is no object has no members that could be told apart', () => {
  for (const text of ['', '  ', '["x"]', '"x"', '12', 'Sure! {"password":"x"}', '\ufeff{"password":"x"}', ')'])
    expect(hide(text)).toBe('(not-an-object)')
})

test('depth and length cost no stack', () => {
  expect(hide(`{"a":${'['.repeat(100_000)}`)).toHaveLength(100_005)
  expect(hide(`{"a":"${'\\\\'.repeat(50_000)}`)).toHaveLength(100_006)
  expect(hide(`{"password":"${'"'.repeat(100_000)}`)).toBe('(lost-track)')
})
