import { type ReactNode, useState } from 'react'
import { ToolCallTurn } from '../../src/index.ts'
import { createScene, type Scene } from './scene.ts'
import type { State } from './state.ts'

/** A turn that was led into a state. */
export function StateTurn({ state }: { readonly state: State }): ReactNode {
  const [{ store, turnId }] = useState(() => reached(state))
  return <ToolCallTurn store={store} turnId={turnId} />
}

/** All states of a table below each other. */
export function StateTable({ states }: { readonly states: readonly State[] }): ReactNode {
  return (
    <div className="story-column">
      {states.map((state) => (
        <StateTurn key={state.words} state={state} />
      ))}
    </div>
  )
}

function reached(state: State): Scene {
  const scene = createScene(state.options)
  state.reach(scene)
  scene.store.flush()
  return scene
}
