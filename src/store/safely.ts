/** Calls back somebody whose mistakes may not disturb us: they are told to whoever watches for errors, as an event target does. */
export function safely(call: () => void): void {
  try {
    call()
  } catch (error) {
    if (typeof reportError === 'function') reportError(error)
    else console.error(error)
  }
}
