import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { browser, LOST, played, SCENES, shown } from './relayed-turns.ts'

const NOT_RUN = / — not run/

// After a connection was lost in mid-call, the rest of its arguments comes too late and is dropped: development is told.
beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())
afterEach(() => void vi.restoreAllMocks())

describe.each(SCENES)('$name', (scene) => {
  test('the browser ends with the text and the labels of the server', async () => {
    const { store, bytes } = await played(scene)
    const { store: shownIn, read } = browser(scene.tools)
    read([bytes])
    expect(shown(shownIn, 'browser')).toEqual(shown(store, 't'))
    expect(shownIn.turn('browser')?.getState().open).toBe(false)
    expect(shownIn.counts()).toEqual({ contradictedLabels: 0, dropped: {} })
  })

  test('wherever its bytes are cut', { timeout: 60_000 }, async () => {
    const { store, bytes } = await played(scene)
    const expected = JSON.stringify(shown(store, 't'))
    const all = new TextEncoder().encode(bytes)
    for (let place = 1; place < all.length; place++) {
      const { store: shownIn, read } = browser(scene.tools)
      read([all.subarray(0, place), all.subarray(place)])
      expect(JSON.stringify(shown(shownIn, 'browser')), `cut at ${place}`).toBe(expected)
    }
  })

  test('wherever the connection is lost, whether the server tells all of it again or what is new', {
    timeout: 60_000,
  }, async () => {
    const { store, relay, bytes } = await played(scene)
    const expected = shown(store, 't')
    const frames = bytes.split(/(?<=\n\n)/)
    const again = await relay.respond('t').text()
    for (let count = 0; count <= frames.length; count++) {
      const had = frames.slice(0, count)
      const lastId = had.findLast((frame) => frame.startsWith('id: '))?.match(/^id: (.*)$/m)?.[1]
      const rest = await relay.respond('t', { after: lastId }).text()
      for (const second of [again, rest]) {
        const { store: shownIn, said, read } = browser(scene.tools)
        read(had, LOST)
        // A bare disconnect proves nothing: what the server did not say by then may have run.
        const early = [...said].filter((label) => NOT_RUN.test(label))
        expect(expected.items).toEqual(expect.arrayContaining(early))
        read([second])
        expect(shown(shownIn, 'browser'), `lost after ${count} frames`).toEqual(expected)
        expect(shownIn.counts().contradictedLabels).toBe(0)
      }
    }
  })

  test('with two losses, and with frames that come twice', async () => {
    const { store, bytes } = await played(scene)
    const frames = bytes.split(/(?<=\n\n)/)
    for (let count = 1; count < frames.length; count++) {
      const { store: shownIn, read } = browser(scene.tools)
      read(frames.slice(0, count), LOST)
      read(frames.slice(0, Math.ceil(frames.length / 2)), LOST)
      read(frames)
      expect(shown(shownIn, 'browser')).toEqual(shown(store, 't'))
    }
  })
})

test('of a correction the user never learns', async () => {
  const scene = SCENES.find(({ name }) => name === 'a correction')
  if (scene === undefined) throw new Error('There is no such scene.')
  const { bytes } = await played(scene)
  const { said, read } = browser(scene.tools)
  read(bytes.split(/(?<=\n\n)/))
  expect([...said]).toEqual([
    'Preparing create_ticket…',
    'Preparing send_mail…',
    'create_ticket — sent, waiting for the result',
    'send_mail — sent, waiting for the result',
    'Running create_ticket…',
    'Running send_mail…',
    'create_ticket — done',
    'send_mail — done',
  ])
  expect(bytes).not.toMatch(/not.run|invalid|"ran":"no"|"[cm][23]"/)
})
