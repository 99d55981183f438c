import type {
  AbstractAgent,
  AgentSubscriber,
  CopilotKitCoreSubscriber,
  MiddlewareFunction,
} from '@copilotkit/react-core/v2'
import type { ToolCallStore } from '../../store/create-store.ts'
import { createExecutions } from './executions.ts'
import { expectBytes, hearBytes } from './hear-bytes.ts'
import { hearReplay, type Replay } from './hear-replay.ts'
import { hearRun, lossOf } from './hear-run.ts'
import { type Answer, placeAnswers } from './hold.ts'

/** What a store listens with to all agents that a host runs. */
export interface Tap {
  /** Whether calls are held back from the host until our gate has passed them. */
  gate: boolean
  /** To be given to `copilotkit.subscribe`. */
  readonly subscriber: CopilotKitCoreSubscriber
}

interface Run {
  readonly agent: AbstractAgent
  /** Our middleware hears it. What is not heard there is told again by a connection. */
  heard: boolean
  replay?: Replay
  /** What is to stand in its messages, whatever else comes into them. */
  answers: readonly Answer[]
}

// One for each store, however often its page is mounted: nothing takes a middleware off an agent again.
const taps = new WeakMap<ToolCallStore, Tap>()

/** The tap of a store. */
export function tapOf(store: ToolCallStore): Tap {
  const tap = taps.get(store) ?? createTap(store)
  taps.set(store, tap)
  return tap
}

function createTap(store: ToolCallStore): Tap {
  const runs = new Map<string, Run>()
  const executions = createExecutions(store)
  let stopping = false

  const middleware: MiddlewareFunction = (input, next) => {
    const run = runs.get(input.runId)
    if (run !== undefined) run.heard = true
    const agent = run?.agent
    return hearRun(store, {
      input,
      gate: tap.gate,
      begin: () => next.run(input),
      opened: (stream) => expectBytes(agent, stream),
      stopping: () => stopping,
      letGo(answers) {
        if (run === undefined) return
        run.answers = answers
        placeAnswers(run.agent.messages, answers)
      },
      abort: () => agent?.abortRun(),
    })
  }

  // The host waits for what these return, and takes it for a change of its state.
  const ofAgent: AgentSubscriber = {
    onRunInitialized({ agent, input }) {
      runs.set(input.runId, { agent, heard: false, answers: [] })
    },
    onEvent({ event, input }) {
      const run = runs.get(input.runId)
      if (run === undefined || run.heard) return
      run.replay ??= hearReplay(store, input.threadId, tap.gate, (stream) => expectBytes(run.agent, stream))
      run.replay.take(event)
    },
    // What the agent took in before it let go of a run comes into its messages later.
    onMessagesChanged({ agent, input }) {
      placeAnswers(agent.messages, runs.get(input?.runId ?? '')?.answers ?? [])
    },
    onRunFailed({ error, input }) {
      runs.get(input.runId)?.replay?.end(lossOf(error))
    },
    onRunFinalized({ input }) {
      runs.get(input.runId)?.replay?.end()
      runs.delete(input.runId)
    },
  }

  function attach(agent: AbstractAgent): void {
    // The host puts back its own after the run. A stop crosses no wire where a runtime does the stopping.
    const { abortRun } = agent
    agent.abortRun = () => {
      stopping = true
      executions.stopped(agent.threadId)
      stopping = false
      abortRun.call(agent)
    }
    hearBytes(agent)
    // Clones have the subscribers and the middleware of their original.
    if (agent.subscribers.includes(ofAgent)) return
    agent.subscribe(ofAgent)
    agent.use(middleware)
  }

  const tap: Tap = {
    gate: false,
    subscriber: {
      onAgentRunStarted: ({ agent }) => attach(agent),
      onToolExecutionStart: ({ toolCallId, args }) => executions.started(toolCallId, args),
      onToolExecutionEnd: ({ toolCallId, error }) => executions.ended(toolCallId, error),
    },
  }
  return tap
}
