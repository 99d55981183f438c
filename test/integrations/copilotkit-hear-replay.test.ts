import { expect, test } from 'vitest'
import { agUi } from '../../src/adapters/ag-ui.ts'
import { labelOf } from '../../src/core/labels.ts'
import { feedOf } from '../../src/feed.ts'
import { createToolCallStore } from '../../src/index.ts'
import { hearReplay } from '../../src/integrations/copilotkit/hear-replay.ts'

const scope = 'thread'

/** A thread with a reply for each id: the first call was done, the link of the second was lost. Then it is told again. */
function toldAgain(first: string, second: string) {
  const store = createToolCallStore({ tools: { create_ticket: { executor: 'server' } }, frame: () => () => {} })
  const told = [first, second].map((toolCallId, place) => [
    { type: 'RUN_STARTED', runId: `run-${place}`, threadId: scope },
    { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'create_ticket', parentMessageId: `answer-${place}` },
    { type: 'TOOL_CALL_ARGS', toolCallId, delta: '{}' },
    { type: 'TOOL_CALL_END', toolCallId },
    { type: 'TOOL_CALL_RESULT', messageId: `result-${place}`, toolCallId, role: 'tool', content: '7' },
    { type: 'RUN_FINISHED', runId: `run-${place}`, threadId: scope },
  ])
  for (const [place, events] of told.entries()) {
    const stream = store.openStream({ scope, speaker: agUi.speaker })
    const feed = feedOf(agUi, stream, 'kept')
    for (const event of events.slice(0, place === 0 ? undefined : 4)) feed(event)
    stream.end(place === 0 ? undefined : { type: 'lost', how: 'connection-lost', speaker: 'nobody' })
  }
  const labels = () => {
    store.flush()
    return store.turnIds().flatMap((turnId) =>
      (store.turn(turnId)?.getState().items ?? []).flatMap((item) => {
        const call = item.type === 'call' ? store.callByKey(turnId, item.key)?.getState() : undefined
        return call === undefined ? [] : labelOf(call)
      }),
    )
  }
  const before = labels()
  const replay = hearReplay(store, scope, false, () => {})
  for (const event of told.flat()) replay.take(event as Parameters<typeof replay.take>[0])
  replay.end()
  return { before, after: labels() }
}

const unknown = 'create_ticket — may have run (connection lost)'

test('what is told again of a thread brings the result that was missed', () => {
  const { before, after } = toldAgain('call_1', 'call_2')
  expect(before).toEqual(['create_ticket — done', unknown])
  expect(after).toEqual(['create_ticket — done', 'create_ticket — done'])
})

test('where two replies have a call of one id, nobody can tell which is told again: nothing changes', () => {
  const { before, after } = toldAgain('call_1', 'call_1')
  expect(before).toEqual(['create_ticket — done', unknown])
  expect(after).toEqual(before)
})
