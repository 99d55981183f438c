import { useAuiState } from '@assistant-ui/react'
import type { ReactNode } from 'react'
import { TurnNotice } from '../../react/turn-notice.tsx'
import type { ToolCallStore } from '../../store/create-store.ts'

/**
 * What stands at the end of a thread whose last reply did not come to its natural end. To be put behind the messages,
 * as a reply may end before it has one.
 * @example <AssistantTurnNotice store={store} />
 */
export function AssistantTurnNotice({ store }: { readonly store: ToolCallStore }): ReactNode {
  return <TurnNotice store={store} scope={useAuiState((state) => state.threadListItem.id)} />
}
