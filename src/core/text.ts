/* oxlint-disable no-control-regex -- control characters are what this file looks for. */

// Terminal control sequences (ECMA-48): CSI, then the string commands OSC, DCS, SOS, PM and APC, closed or cut, then two-character escapes.
const TERMINAL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for.
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*(?:[@-~]|$)|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)|\u001b[ -/]*(?:[0-~]|$)/g

// The Bidi_Control characters of Unicode, which make text read in another order than it stands in.
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: all controls but tab and line feed.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

// What the three expressions before that one begin with.
// biome-ignore lint/suspicious/noControlCharactersInRegex: all controls but tab and line feed.
const SUSPECT = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/

/** Makes untrusted text fit to be shown: no terminal escapes, no bidi or other controls, no half characters. */
export function plainText(text: string): string {
  // Previews come by for every frame, and nearly always there is nothing to do: looking first costs a fifth.
  const clean = SUSPECT.test(text) ? text.replace(TERMINAL, '').replace(BIDI, '').replace(CONTROL, '') : text
  return isWellFormed(clean) ? clean : clean.replace(LONE_SURROGATE, '')
}

/** Whether a text has no half characters, as far as the engine can tell (`isWellFormed` is of 2024). */
function isWellFormed(text: string & { isWellFormed?(): boolean }): boolean {
  return text.isWellFormed?.() === true
}

// Controls, format characters (bidi, zero width), half characters and separators; but tabs, ends of lines and the two
// joiners, which emoji and Persian are written with.
const UNSEEN = /(?![\t\n\u200c\u200d]|\r\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * Makes untrusted text fit to be decided on: what cannot be seen is written as `\u{…}`, nothing is left out.
 * A person must not approve `pay(me)` and have something run that only looks like it.
 */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, escaped)
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

const SAFE_NAME = /^[A-Za-z0-9_.-]{1,64}$/
const NAME_LENGTH = 64

/**
 * Makes a name that a model chose fit to be shown: anything outside `[A-Za-z0-9_.-]` as `\u{…}`, at most 64 characters.
 * A tool called `create_ticket — done` must not forge a label.
 */
export function plainName(name: string): string {
  if (SAFE_NAME.test(name)) return name
  let shown = ''
  // How much of it leaves room for the mark of a cut.
  let kept = 0
  for (const character of name) {
    shown += /[A-Za-z0-9_.-]/.test(character) ? character : escaped(character)
    if (shown.length > NAME_LENGTH) return `${shown.slice(0, kept)}…`
    if (shown.length < NAME_LENGTH) kept = shown.length
  }
  return shown
}
