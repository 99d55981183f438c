import type { StoreOptions } from '../../src/index.ts'
import type { Scene } from './scene.ts'

/** One row of the label table: its words, and the events that lead to it. */
export interface State {
  /** The label, to the letter. */
  readonly words: string
  /** The turn's note under it, to the letter; null where there is none. */
  readonly notice: string | null
  /** Default: `create_ticket` runs here, behind the gate. */
  readonly options?: StoreOptions
  readonly reach: (scene: Scene) => void
}

/** The tool runs on the host's backend. */
export const SERVER: StoreOptions = { tools: { create_ticket: { executor: 'server' } } }
