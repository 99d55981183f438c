import { vi } from 'vitest'

/**
 * When an agent lets go of a reader after a drop, it throws again what the reader had failed with, where nobody can catch
 * it. Until the mocks are restored that is kept quiet.
 */
export function quietCancel(): void {
  const { cancel } = ReadableStreamDefaultReader.prototype
  vi.spyOn(ReadableStreamDefaultReader.prototype, 'cancel').mockImplementation(function (
    this: ReadableStreamDefaultReader,
    reason,
  ) {
    return cancel.call(this, reason).catch(() => {})
  })
}
