/** Freezes what a validator returned, to its last member: what was checked, and approved, is what runs. */
export function frozen<Value>(value: Value): Value {
  const open: unknown[] = [value]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (!isPlain(one) || Object.isFrozen(one)) continue
    Object.freeze(one)
    for (const member of Object.values(one)) if (member !== undefined) open.push(member)
  }
  return value
}

// A schema may return dates, maps, files: what they hold is no member of theirs.
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}
