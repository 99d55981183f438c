import { expect, test } from 'vitest'
import * as aiSdk from '../src/ai-sdk.ts'
import * as assistantUi from '../src/assistant-ui.ts'
import * as copilotkit from '../src/copilotkit.ts'
import * as core from '../src/core.ts'
import * as dispatch from '../src/dispatch/index.ts'
import * as jsonSchema from '../src/json-schema/index.ts'
import * as langchainReact from '../src/langchain-react.ts'
import * as langgraph from '../src/langgraph.ts'
import * as record from '../src/record/index.ts'
import * as server from '../src/server/index.ts'
import * as tanstackAi from '../src/tanstack-ai.ts'

// A new export is a decision: test, page and changelog line come in the same change.
test('the entry ./core exports these and nothing else', () => {
  expect(Object.keys(core).sort()).toMatchInlineSnapshot(`
    [
      "ArgumentBuffer",
      "DEFAULT_DEADLINES",
      "ICONS",
      "balanceOf",
      "createToolCallStore",
      "english",
      "examine",
      "finalize",
      "iconOf",
      "isSound",
      "labelOf",
      "labelPieces",
      "noticeSentences",
      "offerOf",
      "pump",
      "systemClock",
      "unaccounted",
    ]
  `)
})

test('the entry ./dispatch exports these and nothing else', () => {
  expect(Object.keys(dispatch).sort()).toMatchInlineSnapshot(`
    [
      "UncertainExecution",
      "aiSdkMessages",
      "anthropicMessages",
      "bedrockMessages",
      "createDispatcher",
      "geminiContents",
      "keepSnapshots",
      "openaiChatMessages",
      "openaiResponsesInput",
      "recover",
      "recoveryFor",
      "runTurn",
    ]
  `)
})

test('the entry ./server exports these and nothing else', () => {
  expect(Object.keys(server).sort()).toMatchInlineSnapshot(`
    [
      "closeGracefully",
      "createRelay",
      "finishOnSignal",
    ]
  `)
})

test('the entry ./json-schema exports these and nothing else', () => {
  expect(Object.keys(jsonSchema).sort()).toMatchInlineSnapshot(`
    [
      "fromJsonSchema",
      "jsonSchema",
    ]
  `)
})

test('the entry ./record exports these and nothing else', () => {
  expect(Object.keys(record).sort()).toMatchInlineSnapshot(`
    [
      "createRecorder",
    ]
  `)
})

test('the entry ./ai-sdk exports these and nothing else', () => {
  expect(Object.keys(aiSdk).sort()).toMatchInlineSnapshot(`
    [
      "ToolCallPart",
      "withToolCalls",
    ]
  `)
})

test('the entry ./assistant-ui exports these and nothing else', () => {
  expect(Object.keys(assistantUi).sort()).toMatchInlineSnapshot(`
    [
      "AssistantTurnNotice",
      "assistantToolCall",
      "withToolCalls",
    ]
  `)
})

test('the entry ./langchain-react exports these and nothing else', () => {
  expect(Object.keys(langchainReact).sort()).toMatchInlineSnapshot(`
    [
      "ToolCallMessage",
      "createStreamLink",
      "useToolCallStream",
    ]
  `)
})

test('the entry ./copilotkit exports these and nothing else', () => {
  expect(Object.keys(copilotkit).sort()).toMatchInlineSnapshot(`
    [
      "ToolCallTap",
      "copilotToolCall",
      "copilotTurnNotice",
    ]
  `)
})

test('the entry ./langgraph exports these and nothing else', () => {
  expect(Object.keys(langgraph).sort()).toMatchInlineSnapshot(`
    [
      "ToolCallMessage",
      "withToolCalls",
    ]
  `)
})

test('the entry ./tanstack-ai exports these and nothing else', () => {
  expect(Object.keys(tanstackAi).sort()).toMatchInlineSnapshot(`
    [
      "tanstackToolCall",
      "withToolCalls",
    ]
  `)
})
