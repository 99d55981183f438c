import type { Adapter, StreamEvent } from '../../../src/index.ts'

/** The same adapter, with somebody listening to what it makes of its wire. */
export function logged(adapter: Adapter, listen: (event: StreamEvent) => void): Adapter {
  return {
    ...adapter,
    reader() {
      const reader = adapter.reader()
      return {
        open: () => reader.open(),
        read: (event, emit) =>
          reader.read(event, (made) => {
            listen(made)
            emit(made)
          }),
      }
    },
  }
}
