import { act, render } from '@testing-library/react'
import { StrictMode } from 'react'
import { expect, test } from 'vitest'
import { ToolCallBlock, ToolCallTurn } from '../../src/index.ts'
import { type CallRecord, createRecorder } from '../../src/record/index.ts'
import { announce, drop, HALF, openSample } from './sample-stream.ts'

test('a call has one record, however often and in how many places its block is drawn', () => {
  const records: CallRecord[] = []
  const recorder = createRecorder({ onRecord: (record) => records.push(record) })
  const { store, stream } = openSample({ record: recorder, tools: { create_ticket: { executor: 'local' } } })
  announce(stream, 'a', 'create_ticket')
  const page = () => (
    <StrictMode>
      <ToolCallTurn store={store} turnId={stream.turnId} />
      <ToolCallBlock store={store} toolCallId="a" />
    </StrictMode>
  )
  const first = render(page())
  stream.push({ type: 'call-fragment', key: 'a', text: HALF })
  act(() => store.flush())
  expect(records).toEqual([])
  drop(stream)
  act(() => store.flush())
  first.rerender(page())
  first.unmount()
  render(page())
  store.restore(store.snapshot())
  act(() => store.flush())
  expect(records.map(({ tool, cause }) => [tool, cause])).toEqual([['create_ticket', 'connection-lost']])
  expect(recorder.counters()).toMatchObject({ announced: 1, revised: 0 })
})
