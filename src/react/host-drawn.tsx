import { type ReactNode, Suspense } from 'react'
import { RenderBoundary } from './render-boundary.tsx'

interface HostDrawnProps<Input> {
  readonly draw: (input: Input) => ReactNode
  readonly input: Input
  /** When this changes, a drawing that threw is tried again. */
  readonly resetKey: unknown
  /** Stands in for a drawing that throws or waits. Default: nothing. */
  readonly fallback?: ReactNode
}

/** What a function of the host draws. Whatever it does, now or later, nothing around it goes away. */
export function HostDrawn<Input>({ draw, input, resetKey, fallback = null }: HostDrawnProps<Input>): ReactNode {
  return (
    <RenderBoundary resetKey={resetKey} fallback={fallback}>
      {/* On the server there are no error boundaries: there it is Suspense that keeps a throw from taking the label along. */}
      <Suspense fallback={fallback}>
        <Drawing draw={draw} input={input} />
      </Suspense>
    </RenderBoundary>
  )
}

// A component of its own, so that the throw comes from inside the boundary and the host's function may use hooks.
function Drawing<Input>({ draw, input }: Pick<HostDrawnProps<Input>, 'draw' | 'input'>): ReactNode {
  return draw(input) ?? null
}
