import type { ReactNode } from 'react'
import { type Icon, iconOf, type WaitsOn } from '../core/labels.ts'
import type { CallView } from '../core/view.ts'

type Shape = Icon | 'preparing' | 'running' | WaitsOn

/** The icon of a call. Decoration only: shape and colour repeat what the words say. */
export function ToolCallIcon({ call }: { readonly call: CallView }): ReactNode {
  return (
    <svg className="htc-icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {SHAPES[shapeOf(call)]}
    </svg>
  )
}

function shapeOf(call: CallView): Shape {
  switch (call.phase) {
    case 'preparing':
    case 'running':
      return call.phase
    case 'waiting':
      return call.on
    case 'settled':
      return iconOf(call.settled)
    default:
      return call satisfies never
  }
}

const RING = <circle cx="8" cy="8" r="6.25" />

const CLOCK = (
  <>
    {RING}
    <path d="M8 4.75V8l2.25 1.5" />
  </>
)

const SHAPES: Readonly<Record<Shape, ReactNode>> = {
  // Nothing runs while arguments come: a ring of dots, where running has an arc.
  preparing: <circle cx="8" cy="8" r="6.25" strokeDasharray="0.01 3.9269" strokeWidth="2" />,
  running: (
    <>
      <circle cx="8" cy="8" r="6.25" strokeOpacity="0.25" />
      <path d="M8 1.75A6.25 6.25 0 0 1 14.25 8" />
    </>
  ),
  gate: CLOCK,
  result: CLOCK,
  resume: CLOCK,
  person: (
    <>
      <circle cx="8" cy="5" r="2.75" />
      <path d="M2.75 14.25a5.25 5.25 0 0 1 10.5 0" />
    </>
  ),
  'not-run': (
    <>
      {RING}
      <path d="M3.6 12.4l8.8-8.8" />
    </>
  ),
  'may-have-run': (
    <>
      <path d="M4.75 5.25a3.25 3.25 0 1 1 4.8 2.85C8.5 8.7 8 9.3 8 10.5" />
      <path d="M8 14v.01" strokeWidth="2.25" />
    </>
  ),
  done: <path d="M2.75 8.75l3.5 3.5 7-8" />,
  failed: <path d="M3.5 3.5l9 9M12.5 3.5l-9 9" />,
}
