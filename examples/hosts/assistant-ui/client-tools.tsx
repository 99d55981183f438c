import { type AssistantToolProps, useAssistantTool } from '@assistant-ui/react'
import type { ReactNode } from 'react'
import { parameters, runsHere, runTool } from '../shell/index.ts'

type ClientToolProps = Extract<AssistantToolProps<Record<string, unknown>, unknown>, { readonly type: 'frontend' }>

const clientTools = Object.entries(parameters).map(
  ([toolName, schema]): ClientToolProps => ({
    toolName,
    type: 'frontend',
    description: toolName,
    parameters: schema as ClientToolProps['parameters'],
    execute: (input) => runTool(toolName, input),
  }),
)

/** What the runtime runs by itself, once a reply is over. */
export function ClientTools(): ReactNode {
  return runsHere && clientTools.map((tool) => <ClientTool key={tool.toolName} tool={tool} />)
}

function ClientTool({ tool }: { readonly tool: ClientToolProps }): null {
  useAssistantTool(tool)
  return null
}
