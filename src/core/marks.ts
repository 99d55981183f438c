/**
 * What every error result begins with that this kit itself sends back to a model: a correction, a sibling held back, a
 * call that a gate refused. Whoever reads such a result again, from a wire or from storage, thereby knows that no tool
 * wrote it. A person who reads a stored conversation, and the model, should understand it too.
 */
export const NOT_RUN_MARK = '[honest-tool-calls] Not run:'

/** Whether an error result is this kit's own word that the call was not run. */
export function isMarkedNotRun(result: unknown): boolean {
  return typeof result === 'string' && result.startsWith(NOT_RUN_MARK)
}

/** What is written in the place of a result for a call that never ran, as well as for one that failed. */
const ERROR = /^Error: /

/** Whether a result is words of an error, which prove no run where nothing else tells an error from a value. */
export function isErrorText(result: unknown): boolean {
  return typeof result === 'string' && ERROR.test(result)
}
