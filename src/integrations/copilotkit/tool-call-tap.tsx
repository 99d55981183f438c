import { defineToolCallRenderer, useCopilotKit } from '@copilotkit/react-core/v2'
import { useEffect } from 'react'
import { useToolCallStore } from '../../react/context.ts'
import type { ToolCallStore } from '../../store/create-store.ts'
import { tapOf } from './tap.ts'
import { copilotToolCall } from './tool-call.tsx'

export interface ToolCallTapProps {
  /** Default: the provider's. */
  readonly store?: ToolCallStore
  /**
   * Keeps the calls of tools that are declared `host` from running until their run has ended well and our gate has passed
   * them all; a damaged one gets a result that says so. Default `false`.
   */
  readonly gate?: boolean
}

/**
 * Lets a store hear all agents of a `CopilotKitProvider`, and draws the calls of every tool that has no renderer of its own.
 * @example <CopilotKitProvider runtimeUrl="/api/copilotkit"><ToolCallTap store={store} gate /><CopilotChat /></CopilotKitProvider>
 */
export function ToolCallTap({ store: given, gate = false }: ToolCallTapProps): null {
  const store = useToolCallStore(given)
  const { copilotkit } = useCopilotKit()
  useEffect(() => {
    const tap = tapOf(store)
    tap.gate = gate
    const { unsubscribe } = copilotkit.subscribe(tap.subscriber)
    return unsubscribe
  }, [copilotkit, store, gate])
  useEffect(() => {
    // Not taken back: a chat goes on showing what it has.
    copilotkit.addHookRenderToolCall(defineToolCallRenderer({ name: '*', render: copilotToolCall(store) }))
  }, [copilotkit, store])
  return null
}
