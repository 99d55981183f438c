import { memo, type ReactNode, useMemo } from 'react'
import { hydration } from '../adapters/hydration.ts'
import { entriesOf, wordsOf } from '../adapters/langgraph-wire.ts'
import type { CallView } from '../core/view.ts'
import { feedOf } from '../feed.ts'
import { type RenderCall, useToolCallStore } from '../react/context.ts'
import { useTurn } from '../react/hooks.ts'
import { HostDrawn } from '../react/host-drawn.tsx'
import { CallBlock, looks } from '../react/tool-call-block.tsx'
import { ToolCallTurn } from '../react/tool-call-turn.tsx'
import { createToolCallStore, type ToolCallStore } from '../store/create-store.ts'

/** A message of a thread, as plain data or as one of LangChain's own objects. */
export interface ThreadMessage {
  readonly type: string
  readonly id?: string | undefined
  readonly content: unknown
}

interface Looks {
  /** Draws the model's text, as Markdown for example. */
  readonly renderText?: (text: string) => ReactNode
  /** Draws what stands under the labels. */
  readonly render?: RenderCall
}

export type ToolCallMessageProps = Looks & {
  /** The thread's id. */
  readonly scope: string
  /** A message of the model. */
  readonly message: ThreadMessage
  /** All of the thread: the tools' answers are among them. */
  readonly messages: readonly ThreadMessage[]
  /** Default: the provider's. */
  readonly store?: ToolCallStore
}

/**
 * A message of the model with its tool calls: as the store saw it, or else, after a reload, as it was kept.
 * @example <ToolCallMessage store={store} scope={threadId} message={message} messages={stream.messages} />
 */
export function ToolCallMessage({ scope, message, messages, store: given, ...look }: ToolCallMessageProps): ReactNode {
  const store = useToolCallStore(given)
  const messageId = message.id ?? ''
  const live = useTurn({ store, scope, messageId })
  if (live !== undefined) return <ToolCallTurn store={store} scope={scope} messageId={messageId} {...look} />
  const ids = entriesOf({ ...message }).map(({ id }) => id)
  const answers = messages.filter((other) => other.type === 'tool' && ids.includes(idOfCall(other)))
  return <KeptMessage store={store} message={message} answers={answers} {...look} />
}

interface KeptMessageProps extends Looks {
  readonly store: ToolCallStore
  readonly message: ThreadMessage
  readonly answers: readonly ThreadMessage[]
}

// While a reply streams the host draws its whole list again and again; what was kept does not change.
const KeptMessage = memo(function KeptMessage({ store, message, answers, renderText, render }: KeptMessageProps) {
  const calls = useMemo(() => keptCalls(store, message, answers), [store, message, answers])
  const text = wordsOf(message.content)
  const plain = (
    <p className="htc-text" dir="auto">
      {text}
    </p>
  )
  return (
    <div className="htc-turn">
      {text !== '' &&
        (renderText === undefined ? (
          plain
        ) : (
          <HostDrawn draw={renderText} input={text} resetKey={text} fallback={plain} />
        ))}
      {calls.map((call) => (
        <CallBlock key={call.key} call={call} {...looks(render)} />
      ))}
    </div>
  )
}, isSame)

function isSame(before: KeptMessageProps, now: KeptMessageProps): boolean {
  return (
    before.store === now.store &&
    before.message === now.message &&
    before.renderText === now.renderText &&
    before.render === now.render &&
    before.answers.length === now.answers.length &&
    before.answers.every((answer, place) => answer === now.answers[place])
  )
}

/** What may be said of calls that only their message tells of. By a store of its own: the host's is not written to. */
function keptCalls(
  { registry, clock }: ToolCallStore,
  message: ThreadMessage,
  answers: readonly ThreadMessage[],
): readonly CallView[] {
  const kept = createToolCallStore({ ...registry, clock, frame: () => () => {} })
  const stream = kept.openStream()
  feedOf(hydration, stream)([called(message), ...answers.map(answered)])
  kept.flush()
  const { items } = kept.turn(stream.turnId)?.getState() ?? { items: [] }
  return items.flatMap(({ type, key }) => (type === 'call' && kept.callByKey(stream.turnId, key)?.getState()) || [])
}

/** In the shape that a history has at OpenAI: its calls' arguments may be text as well as values. */
function called(message: ThreadMessage): object {
  const calls = entriesOf({ ...message })
  const tool_calls = calls.map(({ id, name, args }) => ({ id, function: { name, arguments: args } }))
  return { role: 'assistant', id: message.id, tool_calls }
}

/** In that of Anthropic, which alone has a place for an error. */
function answered(message: ThreadMessage): object {
  const { content } = message
  const { status } = message as { readonly status?: unknown }
  return {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: idOfCall(message), content, is_error: status === 'error' }],
  }
}

function idOfCall(message: ThreadMessage): unknown {
  return (message as { readonly tool_call_id?: unknown }).tool_call_id
}
