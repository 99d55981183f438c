// The real providers, through their own SDKs. A key in the environment turns one on; the SDKs read the rest as well:
// ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, ANTHROPIC_MODEL; OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL.
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { tools } from '../tools.mjs'

const anthropicModel = () => process.env.ANTHROPIC_MODEL ?? 'claude-haiku-5-5'
const openaiModel = () => process.env.OPENAI_MODEL ?? 'gpt-5-mini'

const { create_ticket: tool } = tools
const name = 'create_ticket'
const instructions = `Say in one sentence what you are going to do, then call ${name}.`

/** The models that can be asked, by wire. */
export function providers() {
  const { ANTHROPIC_API_KEY, OPENAI_API_KEY } = process.env
  return {
    ...(ANTHROPIC_API_KEY ? { anthropic: anthropicModel() } : {}),
    ...(OPENAI_API_KEY ? { 'openai-chat': openaiModel(), 'openai-responses': openaiModel() } : {}),
  }
}

/** The body of the provider's answer, as it comes. */
export async function fromProvider({ wire, message }, signal) {
  const response = await requests[wire](message, { signal }).asResponse()
  return response.body
}

const requests = {
  anthropic: (content, options) =>
    new Anthropic().messages.create(
      {
        model: anthropicModel(),
        max_tokens: 2_048,
        stream: true,
        system: instructions,
        messages: [{ role: 'user', content }],
        tools: [{ name, description: tool.description, input_schema: tool.parameters }],
      },
      options,
    ),
  'openai-chat': (content, options) =>
    new OpenAI().chat.completions.create(
      {
        model: openaiModel(),
        stream: true,
        stream_options: { include_usage: true },
        messages: [
          { role: 'system', content: instructions },
          { role: 'user', content },
        ],
        tools: [{ type: 'function', function: { name, ...tool } }],
      },
      options,
    ),
  'openai-responses': (input, options) =>
    new OpenAI().responses.create(
      {
        model: openaiModel(),
        stream: true,
        instructions,
        input,
        tools: [{ type: 'function', name, ...tool, strict: false }],
      },
      options,
    ),
}
