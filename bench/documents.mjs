// The arguments that are ingested, as a provider sends them: in fragments of four characters.

// As models write tickets: with lines, quotes and characters beyond ASCII, some of which JSON escapes.
const PARAGRAPH =
  'The printer on the 3rd floor — “Ünïcode” — prints:\n- every page "twice" 😀,\n- but only after lunch.\n\n'

/** A ticket: nearly all of it is one long string. */
export function ticket(length) {
  const description = PARAGRAPH.repeat(Math.ceil(length / JSON.stringify(PARAGRAPH).length))
  return JSON.stringify({ title: 'Printer', priority: 'normal', description })
}

/** An order: an array of small objects, so that nearly every fragment moves the structure. */
export function order(length) {
  const items = []
  for (let size = 0; size < length; size += JSON.stringify(items.at(-1)).length + 1) {
    items.push({
      id: items.length,
      name: `part ${items.length}`,
      amount: items.length * 1.25,
      urgent: items.length % 2 === 0,
    })
  }
  return JSON.stringify({ customer: 'c-1204', items })
}

export function fragmentsOf(text) {
  const fragments = []
  for (let start = 0; start < text.length; start += 4) fragments.push(text.slice(start, start + 4))
  return fragments
}
