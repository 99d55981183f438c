import type { ToolCallStore } from '../../src/index.ts'
import { createScene } from '../states/scene.ts'
import type { State } from '../states/state.ts'

/** A store in this state, of a tool that agrees to everything. */
export function agreeing(state: State): () => ToolCallStore {
  return () => {
    const tool = state.options?.tools?.['create_ticket'] ?? { executor: 'local' }
    const scene = createScene({
      ...state.options,
      tools: { ...state.options?.tools, create_ticket: { ...tool, offersRetry: true, offersCheck: true } },
    })
    state.reach(scene)
    scene.store.flush()
    return scene.store
  }
}
