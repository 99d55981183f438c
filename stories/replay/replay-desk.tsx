import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { ToolCallTurn } from '../../src/index.ts'
import { REPLAY_ENDINGS, type ReplayEnding } from '../../src/testing/index.ts'
import { captureOf, captures, type LoadedCapture } from './captures.ts'
import { createRun, type ReplayRun } from './replay-run.ts'

const ENDINGS: Readonly<Record<ReplayEnding, string>> = {
  done: 'the stream is closed after its end',
  eof: 'the bytes end',
  error: 'the connection breaks',
  stall: 'nothing more comes',
  'user-cancel': 'the user presses stop',
  reload: 'the page is closed and opened again',
}

/** A recorded stream to be stepped through, with an ending of one's choice. */
export function ReplayDesk({ initial }: { readonly initial: string }): ReactNode {
  const [title, setTitle] = useState(initial)
  const [loaded, setLoaded] = useState<{ readonly title: string; readonly capture: LoadedCapture } | null>(null)
  const id = useId()
  useEffect(() => {
    let wanted = true
    void captureOf(title)
      .load()
      .then((capture) => {
        if (wanted) setLoaded({ title, capture })
      })
    return () => {
      wanted = false
    }
  }, [title])
  return (
    <div className="story-desk">
      <p className="story-field">
        <label htmlFor={id}>Capture</label>
        <select id={id} value={title} onChange={(event) => setTitle(event.target.value)}>
          {captures.map((capture) => (
            <option key={capture.title}>{capture.title}</option>
          ))}
        </select>
      </p>
      {loaded !== null && loaded.title === title && <Desk key={title} capture={loaded.capture} />}
    </div>
  )
}

function Desk({ capture }: { readonly capture: LoadedCapture }): ReactNode {
  const [ending, setEnding] = useState(capture.ending)
  const [run, setRun] = useState(() => createRun(capture, capture.ending, capture.bytes.length))
  const [, setSteps] = useState(0)
  const id = useId()

  function restart(nextEnding: ReplayEnding, size: number): void {
    setEnding(nextEnding)
    setRun(createRun(capture, nextEnding, size))
  }
  function step(frames: number): void {
    run.step(frames)
    setSteps((steps) => steps + 1)
  }

  return (
    <>
      <p className="story-field">
        <label htmlFor={`${id}ending`}>Then</label>
        <select
          id={`${id}ending`}
          value={ending}
          onChange={(event) => restart(event.target.value as ReplayEnding, run.size)}
        >
          {REPLAY_ENDINGS.map((word) => (
            <option key={word} value={word}>
              {ENDINGS[word]}
            </option>
          ))}
        </select>
      </p>
      <p className="story-field">
        <label htmlFor={`${id}cut`}>Cut after byte</label>
        <input
          id={`${id}cut`}
          type="number"
          min={0}
          max={capture.bytes.length}
          value={run.size}
          onChange={(event) => restart(ending, Math.min(event.target.valueAsNumber || 0, capture.bytes.length))}
        />
        <span>of {capture.bytes.length.toLocaleString('en-US')}</span>
      </p>
      {/* Never disabled, so that the keyboard keeps its place; past the end they do nothing. */}
      <div className="story-buttons">
        <button type="button" aria-disabled={run.over} onClick={() => step(1)}>
          One frame
        </button>
        <button type="button" aria-disabled={run.over} onClick={() => step(10)}>
          Ten frames
        </button>
        <button type="button" aria-disabled={run.over} onClick={() => step(Number.POSITIVE_INFINITY)}>
          To the end
        </button>
        <button type="button" onClick={() => restart(ending, run.size)}>
          Restart
        </button>
      </div>
      <div className="story-reply">
        <ToolCallTurn store={run.player.store} turnId={run.player.turnId} />
      </div>
      <BytesRead bytes={capture.bytes} run={run} />
    </>
  )
}

// Enough to see where the reader is; the huge captures would stop the page.
const SHOWN = 4000

function BytesRead({ bytes, run }: { readonly bytes: Uint8Array; readonly run: ReplayRun }): ReactNode {
  const { position, over, size, player } = run
  const field = useRef<HTMLTextAreaElement>(null)
  const start = Math.max(0, position - SHOWN)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest bytes are to be seen whenever there are more.
  useLayoutEffect(() => {
    field.current?.scrollTo({ top: field.current.scrollHeight })
  }, [position])
  return (
    <>
      <p>
        {position.toLocaleString('en-US')} of {size.toLocaleString('en-US')} bytes read, {player.frames} events
        {over ? '. It has ended.' : '.'}
      </p>
      {/* A field, so that the keyboard reaches it and scrolls it. */}
      <textarea
        ref={field}
        className="story-bytes"
        readOnly
        aria-label="Bytes read so far"
        value={(start > 0 ? '…' : '') + new TextDecoder().decode(bytes.subarray(start, position))}
      />
    </>
  )
}
