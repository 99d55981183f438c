/**
 * Cuts bytes into pieces at these offsets, as a network may: in any order, doubles and places outside are ignored.
 * @example replay({ adapter, pieces: cut(bytes, [1, 500]) })
 */
export function cut(bytes: Uint8Array, places: Iterable<number>): readonly Uint8Array[] {
  const inside = [...new Set(places)].filter((place) => place > 0 && place < bytes.length).sort((a, b) => a - b)
  return [0, ...inside].map((start, index) => bytes.subarray(start, inside[index] ?? bytes.length))
}
