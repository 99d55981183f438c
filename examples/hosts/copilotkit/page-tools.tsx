import { useFrontendTool } from '@copilotkit/react-core/v2'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { parameters, runTool } from '../shell/index.ts'

/** What CopilotKit runs in this page. */
export function PageTools(): ReactNode {
  return Object.keys(parameters).map((name) => <PageTool key={name} name={name as keyof typeof parameters} />)
}

function PageTool({ name }: { readonly name: keyof typeof parameters }): null {
  useFrontendTool({
    name,
    parameters: z.fromJSONSchema(parameters[name] as never) as z.ZodObject,
    handler: (input) => runTool(name, input),
  })
  return null
}
