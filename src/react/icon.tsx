import type { ReactNode } from 'react'
import { type Icon, iconOf } from '../core/labels.ts'
import type { CallView } from '../core/view.ts'

type Shape = Icon | 'busy' | 'waiting'

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
      return 'busy'
    case 'waiting':
      return 'waiting'
    case 'settled':
      return iconOf(call.settled)
    default:
      return call satisfies never
  }
}

const SHAPES: Readonly<Record<Shape, ReactNode>> = {
  busy: <path d="M8 2a6 6 0 1 1-6 6" />,
  waiting: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.5V8l2.5 1.5" />
    </>
  ),
  'not-run': (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M3.8 12.2l8.4-8.4" />
    </>
  ),
  'may-have-run': (
    <>
      <path d="M5.5 5.8a2.5 2.5 0 1 1 3.6 2.3c-.8.4-1.1.9-1.1 1.9" />
      <path d="M8 12.7v.1" />
    </>
  ),
  done: <path d="M3 8.5l3.3 3.3L13 5" />,
  failed: <path d="M4 4l8 8M12 4l-8 8" />,
}
