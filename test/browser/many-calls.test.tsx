import { Profiler } from 'react'
import { expect, test } from 'vitest'
import { createToolCallStore, type RenderCall, ToolCallTurn } from '../../src/index.ts'
import { labelsOf } from '../../src/testing/index.ts'
import { announce, drop } from '../react/sample-stream.ts'
import { painted, show } from './page.tsx'

const FINISHED = 200
const LIVE = 8
const FRAMES = 20
const FRAGMENTS_PER_FRAME = 25

test('200 finished calls beside 8 that stream: a commit per frame, and no finished block in it', async () => {
  let frames = 0
  const store = createToolCallStore({
    defaultExecutor: 'server',
    frame(callback) {
      const handle = requestAnimationFrame(() => {
        frames++
        callback()
      })
      return () => cancelAnimationFrame(handle)
    },
  })
  const stream = store.openStream()
  for (let call = 0; call < FINISHED; call++) {
    announce(stream, `done-${call}`, 'search')
    stream.push({ type: 'call-returned', key: `done-${call}`, ok: true })
  }
  for (let call = 0; call < LIVE; call++) announce(stream, `live-${call}`, 'write_file')
  store.flush()

  let commits = 0
  const renders = { settled: 0, live: 0 }
  const count: RenderCall = ({ phase, name }) => {
    renders[name === 'search' ? 'settled' : 'live']++
    return phase === 'preparing' ? <i>{name}</i> : null
  }
  const container = await show(
    <Profiler id="turn" onRender={() => commits++}>
      <ToolCallTurn store={store} turnId={stream.turnId} render={count} />
    </Profiler>,
  )
  expect(labelsOf(container)).toHaveLength(FINISHED + LIVE)
  await painted()

  commits = frames = renders.settled = renders.live = 0
  for (let frame = 0; frame < FRAMES; frame++) {
    for (let fragment = 0; fragment < FRAGMENTS_PER_FRAME; fragment++) {
      for (let call = 0; call < LIVE; call++) stream.push({ type: 'call-fragment', key: `live-${call}`, text: 'word ' })
    }
    await new Promise(requestAnimationFrame)
  }
  await painted()
  expect(frames).toBeGreaterThan(0)
  expect(frames).toBeLessThanOrEqual(FRAMES + 1)
  expect(commits).toBeLessThanOrEqual(frames)
  expect(renders.settled).toBe(0)
  expect(renders.live).toBeLessThanOrEqual(LIVE * frames)
  expect(renders.live).toBeGreaterThanOrEqual(LIVE)

  commits = renders.live = 0
  drop(stream)
  await painted()
  expect(commits).toBe(1)
  expect(renders).toEqual({ settled: 0, live: LIVE })
  expect(labelsOf(container).filter((label) => label === 'write_file — may have run (connection lost)')).toHaveLength(
    LIVE,
  )
})
