import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import { type CallView, createToolCallStore, type ToolCallActions, type ToolCallStore } from 'honest-tool-calls'
import { anthropic } from 'honest-tool-calls/adapters/anthropic.ts'
import { anthropicMessages, createDispatcher, type RunningTurn, runTurn } from 'honest-tool-calls/dispatch/index.ts'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Log } from '../../chat/page/log.ts'
import { logPublications } from '../../chat/page/log-facts.ts'
import { stories } from '../stories.mjs'
import { journal, keep, readKept } from './keep.ts'
import { logRequest, logResult } from './log-facts.ts'
import { createOffice } from './office.ts'
import { createRecords, type Records } from './records.ts'
import { isAsking, takeUp } from './take-up.ts'
import { declareTools } from './tools.ts'

export type Story = keyof typeof stories

/** A message of the user and, by its id, the turn that answers it. */
export interface Exchange {
  readonly turnId: string
  readonly story: Story
  readonly message: string
}

interface ChatState {
  readonly exchanges: readonly Exchange[]
  /** The turn that is under way. */
  readonly current: string | null
}

export interface Chat {
  readonly state: StoreApi<ChatState>
  readonly store: ToolCallStore
  readonly actions: ToolCallActions
  readonly records: Records
  play(story: Story): void
  stop(): void
}

/** The calls that may be tried again belong to one conversation: a later turn of it takes the offer away. */
const scope = 'gate'

export function createChat(log: Log): Chat {
  const { session, exchanges, history, snapshot } = readKept()
  const office = createOffice(session)
  const records = createRecords(office)
  const store = createToolCallStore({
    tools: declareTools(office, log),
    defaultExecutor: 'local',
    record: records.recorder,
  })
  const dispatcher = createDispatcher(store, { journal })
  const state = createStore<ChatState>(() => ({ exchanges, current: null }))
  let conversation = history

  const save = (): void =>
    keep({
      session,
      exchanges: state.getState().exchanges,
      history: conversation,
      // With the arguments of what a person is asked about, so that the question outlives the page.
      snapshot: store.snapshot({ arguments: true }),
    })

  function ask(turnId: string, begun: readonly MessageParam[], retried?: CallView): RunningTurn<MessageParam> {
    return runTurn({
      store,
      dispatcher,
      adapter: anthropic,
      dialect: anthropicMessages,
      scope,
      turnId,
      ...(retried === undefined ? {} : { retryOf: { turnId: retried.turnId, key: retried.key } }),
      request({ number, messages, signal }) {
        logRequest(log, number, messages)
        return office.ask([...begun, ...messages], signal)
      },
    })
  }

  /** Keeps what a turn adds to the conversation, once it is over. */
  async function finish(begun: readonly MessageParam[], turn: RunningTurn<MessageParam>): Promise<void> {
    const result = await turn.ended
    logResult(log, result)
    conversation = [...begun, ...result.messages]
    state.setState({ current: null })
    save()
    await records.count()
  }

  async function send(story: Story, message: string, retried?: CallView): Promise<void> {
    log.start(`sent: ${message}`)
    const turnId = crypto.randomUUID()
    const begun: readonly MessageParam[] = [...conversation, { role: 'user', content: message }]
    state.setState(({ exchanges }) => ({
      exchanges: [...exchanges, { turnId, story, message }],
      current: turnId,
    }))
    await finish(begun, ask(turnId, begun, retried))
  }

  /** Goes on with the turn that waited for a person when the page was closed. */
  async function goOn({ turnId, message }: Exchange): Promise<void> {
    log.start('the page was opened again, and somebody is still asked')
    state.setState({ current: turnId })
    const begun: readonly MessageParam[] = [...conversation, { role: 'user', content: message }]
    const made = await takeUp(store, dispatcher, turnId)
    if (made !== null) return finish([...begun, ...made], ask(turnId, [...begun, ...made]))
    conversation = begun
    state.setState({ current: null })
    save()
  }

  if (snapshot !== null) store.restore(snapshot)
  logPublications(log, store)
  store.subscribe(({ calls, turns }) => {
    const moved = calls.some(({ before, call }) => before === null || call.phase !== 'preparing')
    if (moved || turns.some(({ before, turn }) => before.open !== turn.open)) save()
    if (moved) void records.count()
  })
  const asking = exchanges.find(({ turnId }) => isAsking(store, turnId))
  if (asking !== undefined) void goOn(asking)

  return {
    state,
    store,
    records,
    actions: {
      answer: ({ id: callId, turnId, key }, granted) => store.answerApproval({ callId, turnId, key }, { granted }),
      check: ({ id: callId, turnId, key }) => dispatcher.reconcile({ callId, turnId, key }),
      tryAgain(call) {
        const tried = state.getState().exchanges.find(({ turnId }) => turnId === call.turnId)
        if (tried === undefined || state.getState().current !== null) return
        const story = stories[tried.story]
        return send(tried.story, 'again' in story ? story.again : story.message, call)
      },
    },
    play(story) {
      if (state.getState().current === null) void send(story, stories[story].message)
    },
    stop() {
      const { current } = state.getState()
      if (current !== null) store.cancel(current)
    },
  }
}
