import type { Adapter } from '../adapters/adapter.ts'
import { agUi } from '../adapters/ag-ui.ts'
import { aiUiMessageStream } from '../adapters/ai-ui-message-stream.ts'
import { anthropic } from '../adapters/anthropic.ts'
import { bedrockConverse } from '../adapters/bedrock-converse.ts'
import { cohereV2 } from '../adapters/cohere-v2.ts'
import { gemini } from '../adapters/gemini.ts'
import { hydration } from '../adapters/hydration.ts'
import { langgraph } from '../adapters/langgraph.ts'
import { mistral } from '../adapters/mistral.ts'
import { ollama } from '../adapters/ollama.ts'
import { openaiChat } from '../adapters/openai-chat.ts'
import { openaiResponses } from '../adapters/openai-responses.ts'
import { tanstackAi } from '../adapters/tanstack-ai.ts'

const ADAPTERS: readonly Adapter[] = [
  agUi,
  aiUiMessageStream,
  anthropic,
  bedrockConverse,
  cohereV2,
  gemini,
  hydration,
  langgraph,
  mistral,
  ollama,
  openaiChat,
  openaiResponses,
  tanstackAi,
]

/** The wire formats that can be replayed, by the name that `--format` takes. */
export const FORMATS: ReadonlyMap<string, Adapter> = new Map(ADAPTERS.map((adapter) => [adapter.format, adapter]))
