import type { SubscribeConnectionAdapter } from '@tanstack/ai-client'
import { object, text } from '../../adapters/wire-values.ts'
import { type Chunk, isLast } from './chunks.ts'
import type { Hearing, Session } from './session.ts'
import type { Run } from './tap.ts'

/** A run that was asked for, or that a server began by itself. */
interface Open extends Hearing {
  readonly run: Run
  readonly runId: string | undefined
  begun: boolean
  /** Its last message has ended, but not the run: tools run, or a further request takes over. */
  between: boolean
}

/** A connection that sends here and hears there, as over a WebSocket: one long stream, in which the runs follow each other. */
export function subscribed(
  session: Session,
  connection: SubscribeConnectionAdapter,
): Pick<SubscribeConnectionAdapter, 'subscribe' | 'send'> {
  const runs = new Set<Open>()
  let speaking: Open | undefined
  let subscriptions = 0
  let owed: Chunk[] = []
  let wake = (): void => {}

  function begin(run: Run, runId: string | undefined, signal: AbortSignal | undefined): Open {
    const open = { ...session.hear(run, signal), run, runId, begun: false, between: false }
    // The long stream stays, so that the chat client has to be told of the end in its own words.
    open.tap.signal.addEventListener('abort', () => {
      if (!runs.has(open) || !open.tap.givenUp) return
      runs.delete(open)
      if (speaking === open) speaking = undefined
      if (open.between) return
      const message = 'honest-tool-calls: the kit ended this run, because it was cancelled or fell silent.'
      owed.push({ type: 'RUN_ERROR', threadId: run.scope, runId, message } as Chunk)
      wake()
    })
    runs.add(open)
    return open
  }

  function close(open: Open, how: (tap: Hearing['tap']) => void): void {
    runs.delete(open)
    if (speaking === open) speaking = undefined
    how(open.tap)
    open.tap.leave()
  }

  /** The run that a chunk is of. */
  function runOf(chunk: Chunk): Open | undefined {
    const { type, runId, threadId } = object(chunk)
    const all = [...runs]
    const named = all.find((open) => open.runId !== undefined && open.runId === runId)
    // A provider may have an id of its own for what was asked.
    if (type === 'RUN_STARTED') {
      const asked = named ?? (speaking?.between ? speaking : undefined) ?? all.find(({ begun }) => !begun)
      speaking = asked ?? begin({ scope: text(threadId) }, text(runId), undefined)
      speaking.begun = true
    }
    return named ?? speaking ?? all.at(-1)
  }

  async function hear(chunk: Chunk): Promise<readonly Chunk[]> {
    const open = runOf(chunk)
    if (open === undefined) return [chunk]
    open.tap.take(chunk)
    const passed = await open.hold.pass(chunk)
    if (isLast(chunk)) close(open, (tap) => tap.end())
    else open.between = chunk.type === 'RUN_FINISHED'
    return passed
  }

  /** The long stream is over: so are all its runs. */
  async function closeAll(how: (tap: Hearing['tap']) => void): Promise<readonly Chunk[]> {
    const all = [...runs]
    for (const open of all) close(open, how)
    return (await Promise.all(all.map(({ hold }) => hold.release()))).flat()
  }

  return {
    async *subscribe(signal) {
      const mine = ++subscriptions
      const source = connection.subscribe(signal)[Symbol.asyncIterator]()
      const pull = (): ReturnType<typeof source.next> => {
        const pulled = source.next()
        // It is looked at when its turn comes.
        pulled.catch(() => {})
        return pulled
      }
      let next = pull()
      try {
        for (;;) {
          const woken = new Promise<'owed'>((resolve) => {
            wake = () => resolve('owed')
          })
          const item = owed.length > 0 ? 'owed' : await Promise.race([next, woken])
          if (item === 'owed') {
            const chunks = owed
            owed = []
            yield* chunks
          } else if (item.done) break
          else {
            next = pull()
            yield* await hear(item.value)
          }
        }
        if (mine === subscriptions) yield* await closeAll((tap) => tap.end())
      } catch (error) {
        if (mine === subscriptions) yield* await closeAll((tap) => tap.fail(error))
        throw error
      } finally {
        // A newer subscription hears what is still open.
        if (mine === subscriptions) await closeAll((tap) => tap.leave())
        void source.return?.().catch(() => {})
      }
    },
    async send(messages, data, signal, context) {
      for (const open of runs) if (open.between) close(open, (tap) => tap.end())
      const open = begin(session.begin(messages, context), context?.runId, signal)
      try {
        await connection.send(messages, data, open.tap.signal, context)
      } catch (error) {
        close(open, (tap) => tap.fail(error))
        throw error
      }
    },
  }
}
