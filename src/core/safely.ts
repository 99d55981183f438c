import { isPromise } from './promise.ts'

/**
 * Calls what the host gave us. What it throws is told to whoever watches for errors, as an event target does, and
 * disturbs nobody else; so is what a promise of it rejects with, which would end a Node process.
 */
export function safely(call: () => unknown): void {
  try {
    const answer = call()
    if (isPromise(answer)) answer.then(undefined, tell)
  } catch (error) {
    tell(error)
  }
}

function tell(error: unknown): void {
  if (typeof reportError === 'function') reportError(error)
  else console.error(error)
}
