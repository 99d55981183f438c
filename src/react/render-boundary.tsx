import { Component, type ReactNode } from 'react'

interface Props {
  /** When this changes, what failed is tried again. */
  readonly resetKey: unknown
  /** Drawn in place of what throws. */
  readonly fallback: ReactNode
  readonly children: ReactNode
}

interface State {
  readonly failed: boolean
  readonly resetKey: unknown
}

/** Keeps what throws from taking along what stands beside it. */
export class RenderBoundary extends Component<Props, State> {
  override state: State = { failed: false, resetKey: this.props.resetKey }

  static getDerivedStateFromError(): Pick<State, 'failed'> {
    return { failed: true }
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State): State | null {
    return resetKey === state.resetKey ? null : { failed: false, resetKey }
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
