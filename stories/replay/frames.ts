import { cut } from '../../src/testing/index.ts'

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/** A capture in frames: each with the empty line that ends it. */
export function framesOf(bytes: Uint8Array): readonly Uint8Array[] {
  const ends: number[] = []
  let lineIsEmpty = false
  bytes.forEach((byte, place) => {
    if (byte === LINE_FEED) {
      if (lineIsEmpty) ends.push(place + 1)
      lineIsEmpty = true
    } else if (byte !== CARRIAGE_RETURN) lineIsEmpty = false
  })
  return bytes.length === 0 ? [] : cut(bytes, ends)
}
