import type { UIMessageChunk } from 'ai'
import type { Ending } from '../../core/events.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import type { ToolCallStream } from '../../store/stream.ts'
import type { Hold } from './hold.ts'

/** What ends the host's stream where the kit itself ended its own; null where the source may have its say. */
export function stopOf(ending: Ending | null): Error | null {
  // The host takes a TypeError with "network" in it for a lost connection, which it may resume.
  if (ending?.type === 'lost' && ending.how === 'idle')
    return new TypeError('honest-tool-calls: the network was silent for too long.')
  if (ending?.type === 'cancelled' && !ending.acknowledged) return new DOMException('Cancelled.', 'AbortError')
  return null
}

/**
 * Reads a source as fast as it comes, feeds it to the store and passes it on. Not by `tee()`: a branch that we kept
 * would keep the host's cancel from reaching the network. Whoever ends it first is believed: after a stop the source
 * also ends, and cleanly.
 */
export function relay(
  source: ReadableStream<UIMessageChunk>,
  store: ToolCallStore,
  stream: ToolCallStream,
  feed: (chunk: UIMessageChunk) => void,
  makeHold: (listening: () => boolean) => Hold,
): ReadableStream<UIMessageChunk> {
  const reader = source.getReader()
  let host: ReadableStreamDefaultController<UIMessageChunk> | null = null
  let failed = false
  const hold = makeHold(() => host !== null)
  const output = new ReadableStream<UIMessageChunk>({
    start(controller) {
      host = controller
    },
    cancel() {
      host = null
      // The host leaves at an error chunk, while its server goes on: what comes of open calls is still to be told.
      if (!failed) store.cancel(stream.turnId, 'host')
    },
  })

  const tell = (chunks: readonly UIMessageChunk[]): void => {
    for (const chunk of chunks) host?.enqueue(chunk)
  }

  const stop = (): void => {
    const error = stopOf(stream.ending)
    if (error === null) return
    host?.error(error)
    host = null
    reader.cancel().catch(() => {})
  }
  stream.signal.addEventListener('abort', stop)
  stop()

  async function read(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        failed ||= value.type === 'error'
        if (stream.ending === null) feed(value)
        tell(await hold.pass(value))
      }
      // The host takes this for the end of the reply, and asks for no more of it.
      stream.end(undefined, { resumable: false })
      tell(await hold.release())
      host?.close()
    } catch (error) {
      stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' })
      host?.error(error)
    }
  }
  void read()
  return output
}
