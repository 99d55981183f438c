import { createPlayer, type Player, type ReplayEnding } from '../../src/testing/index.ts'
import type { LoadedCapture } from './captures.ts'
import { framesOf } from './frames.ts'

/** A capture being played: frame by frame, and then its ending. */
export interface ReplayRun {
  readonly player: Player
  readonly size: number
  /** How many bytes were read. */
  readonly position: number
  readonly over: boolean
  /** Plays this many frames more; past the last one, the ending. */
  step(frames: number): void
}

/** @param size after how many bytes the ending comes, whatever is left */
export function createRun({ adapter, tools, bytes }: LoadedCapture, ending: ReplayEnding, size: number): ReplayRun {
  const player = createPlayer({ adapter, tools })
  const frames = framesOf(bytes.subarray(0, size))
  let next = 0
  let position = 0
  let over = false
  return {
    player,
    size,
    get position() {
      return position
    },
    get over() {
      return over
    },
    step(count) {
      for (let step = 0; step < count && !over; step++) {
        const frame = frames[next++]
        if (frame === undefined) {
          player.end(ending)
          over = true
        } else {
          player.feed(frame)
          position += frame.length
        }
      }
    },
  }
}
