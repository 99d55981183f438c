import type { Executor, FaultName } from '../../test/hosts/common.ts'

export interface Comparison {
  readonly host: string
  readonly title: string
  /** Who runs the tools: for the host alone, and for this kit. */
  readonly executors: { readonly host: Executor; readonly kit: Executor }
}

/** The hosts whose packages bring blocks of their own. */
export const comparisons: readonly Comparison[] = [
  {
    host: 'copilotkit',
    title: 'CopilotKit, tools on the server',
    executors: { host: 'server', kit: 'server' },
  },
  {
    host: 'copilotkit',
    title: 'CopilotKit, tools in the page (`useFrontendTool`), this kit with `gate`',
    executors: { host: 'page-without-gate', kit: 'page' },
  },
  {
    host: 'tanstack-ai',
    title: 'TanStack AI, tools on the server',
    executors: { host: 'server', kit: 'server' },
  },
  {
    host: 'tanstack-ai',
    title: 'TanStack AI, tools in the page (client tools), this kit with `gate`',
    executors: { host: 'page-without-gate', kit: 'page' },
  },
]

/** What the blocks say in the end, and how often a tool had run by then. */
export interface Outcome {
  readonly says: string
  readonly runs: number
}

export interface Row {
  readonly fault: FaultName
  readonly host: Outcome
  readonly kit: Outcome
}

export interface Comparing extends Comparison {
  readonly rows: readonly Row[]
}

/** What is written down of a chat: the labels; the notice, where there is no call. */
export function written({ labels, notice }: { labels: readonly string[]; notice: string | null }): string {
  return labels.join('; ') || notice || 'nothing'
}
