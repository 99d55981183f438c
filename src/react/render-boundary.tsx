import { Component, type ReactNode } from 'react'

interface Props {
  /** When this changes, what failed is tried again. */
  readonly resetKey: string
  readonly children: ReactNode
}

/** Draws nothing in place of what throws; the label beside it stays. */
export class RenderBoundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true }
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.failed && before.resetKey !== this.props.resetKey) this.setState({ failed: false })
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children
  }
}
