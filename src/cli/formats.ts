import type { Adapter } from '../adapters/adapter.ts'
import { anthropic } from '../adapters/anthropic.ts'
import { openaiChat } from '../adapters/openai-chat.ts'
import { openaiResponses } from '../adapters/openai-responses.ts'

/** The wire formats that can be replayed, by the name that `--format` takes. */
export const FORMATS: ReadonlyMap<string, Adapter> = new Map(
  [anthropic, openaiChat, openaiResponses].map((adapter) => [adapter.format, adapter]),
)
