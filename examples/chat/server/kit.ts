// What the server of this example takes of the kit: it runs in Node as it does in a page. An application imports these
// from `honest-tool-calls`; here they come from the sources.
import { anthropic } from '../../../src/adapters/anthropic.ts'
import { openaiChat } from '../../../src/adapters/openai-chat.ts'
import { openaiResponses } from '../../../src/adapters/openai-responses.ts'

export { createToolCallStore, pump } from '../../../src/core.ts'
export { fromJsonSchema } from '../../../src/json-schema/index.ts'
export const adapters = { anthropic, 'openai-chat': openaiChat, 'openai-responses': openaiResponses }
