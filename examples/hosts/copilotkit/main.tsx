import { CopilotChat, CopilotKitProvider, HttpAgent, useDefaultRenderTool } from '@copilotkit/react-core/v2'
import '@copilotkit/react-core/v2/styles.css'
import { createToolCallStore } from 'honest-tool-calls'
import { copilotTurnNotice, ToolCallTap } from 'honest-tool-calls/copilotkit.ts'
import 'honest-tool-calls/styles.css'
import type { ReactNode } from 'react'
import { apiOf, deadlines, gate, mount, runsHere, tools, withKit } from '../shell/index.ts'
import { ChatView } from './chat-view.tsx'
import { PageTools } from './page-tools.tsx'

const store = createToolCallStore({ tools, deadlines })
const notices = withKit ? [copilotTurnNotice(store)] : []
const agents = Object.fromEntries(
  ['first', 'second'].map((id) => [id, new HttpAgent({ url: apiOf('copilotkit'), threadId: id })]),
)

/** CopilotKit's own, to compare. */
function DefaultBlocks(): null {
  useDefaultRenderTool()
  return null
}

function Provider({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <CopilotKitProvider agents__unsafe_dev_only={agents} renderCustomMessages={notices} enableInspector={false}>
      {withKit ? <ToolCallTap store={store} gate={gate} /> : <DefaultBlocks />}
      {runsHere && <PageTools />}
      {children}
    </CopilotKitProvider>
  )
}

function Chat({ id }: { readonly id: string }): ReactNode {
  return <CopilotChat agentId={id} threadId={id} chatView={ChatView} />
}

mount(Chat, Provider)
