import { toolDefinition } from '@tanstack/ai/client'
import { parameters, runTool } from '../shell/index.ts'

/** What the chat client runs by itself. */
export const clientTools = Object.entries(parameters).map(([name, inputSchema]) =>
  toolDefinition({ name, description: name, inputSchema }).client((input) => runTool(name, input)),
)
