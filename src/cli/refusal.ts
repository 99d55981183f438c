import { plainText } from '../core/text.ts'

/** Input that cannot be used: the command says why in one line, and what to do where that is short. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  /** @param reason in any number of lines; what stands in it may come from anywhere */
  constructor(reason: string) {
    super(oneLine(reason))
  }
}

/** A text that came from outside, fit to stand in a line of a terminal. */
export function oneLine(text: string): string {
  return plainText(text.replace(/\s+/g, ' ')).trim()
}

/** A word that came from outside, as it is quoted in a sentence. */
export function quoted(word: string): string {
  const line = oneLine(word)
  return `"${line.length > 80 ? `${line.slice(0, 80)}…` : line}"`
}
