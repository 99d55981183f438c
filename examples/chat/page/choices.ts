import { anthropic } from '../../../src/adapters/anthropic.ts'
import { openaiChat } from '../../../src/adapters/openai-chat.ts'
import { openaiResponses } from '../../../src/adapters/openai-responses.ts'
import type { Adapter } from '../../../src/index.ts'

export type Wire = 'anthropic' | 'openai-chat' | 'openai-responses'

export const wires = {
  anthropic: { label: 'Anthropic Messages', adapter: anthropic },
  'openai-chat': { label: 'OpenAI Chat Completions', adapter: openaiChat },
  'openai-responses': { label: 'OpenAI Responses', adapter: openaiResponses },
} satisfies Record<Wire, { label: string; adapter: Adapter }>

/** Where a fault comes from. A real provider's reply cannot be made to fail from here. */
export const faultGroups = {
  'On the way': {
    drop: 'connection drops',
    'clean-end': 'response ends early, cleanly',
    stall: 'silence, connection open',
  },
  'By the user': {
    stop: 'stop button',
    reload: 'page is reloaded',
  },
  'At the model': {
    'token-ceiling': 'token ceiling',
    filter: 'content filter',
    malformed: 'malformed arguments',
    schema: 'arguments against the schema',
    'provider-error': 'provider error',
    'never-finished': 'call never finished',
    preamble: 'ends right after the preamble',
  },
} as const

type Groups = typeof faultGroups
export type Fault = 'none' | { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups]

export interface Settings {
  readonly wire: Wire
  readonly source: 'scripted' | 'provider'
  readonly fault: Fault
  readonly executor: 'page' | 'server'
  readonly calls: 1 | 2
  /** The idle deadline in milliseconds. */
  readonly idle: 3_000 | 10_000
}

export const defaultSettings: Settings = {
  wire: 'anthropic',
  source: 'scripted',
  fault: 'none',
  executor: 'page',
  calls: 1,
  idle: 3_000,
}

export function faultLabel(fault: Fault): string {
  const labels: Partial<Record<Fault, string>> = Object.assign({}, ...Object.values(faultGroups))
  return labels[fault] ?? 'no fault'
}
