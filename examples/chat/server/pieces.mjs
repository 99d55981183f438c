// Cuts a script's texts as a model does, and mints ids as a provider does.
import { randomUUID } from 'node:crypto'

/** A word at a time. */
export const words = (text) => text.split(/(?<= )/)

const sizes = [4, 3, 6, 2, 5]

/** A few characters at a time, across words and JSON alike. */
export function fragments(text) {
  const characters = Array.from(text)
  const pieces = []
  while (characters.length > 0) pieces.push(characters.splice(0, sizes[pieces.length % sizes.length]).join(''))
  return pieces
}

export const mint = (prefix) => prefix + randomUUID().replaceAll('-', '').slice(0, 24)

/** A silence in a wire, in milliseconds: long enough to be seen. */
export const PAUSE = 500
