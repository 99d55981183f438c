import { type ReactNode, useContext } from 'react'
import { sentencePieces } from '../core/labels.ts'
import type { CallView } from '../core/view.ts'
import { ToolCallContext } from './context.ts'

interface ToolCallSentenceProps {
  /** With `{tool}` where the tool's name goes. */
  readonly sentence: string
  readonly call: CallView
}

/** A sentence of the kit about a call, with the tool's name set apart from it. */
export function ToolCallSentence({ sentence, call }: ToolCallSentenceProps): ReactNode {
  const { catalogue } = useContext(ToolCallContext)
  const { before, tool, after } = sentencePieces(sentence, call, catalogue)
  // A name that only a model vouches for must not look like the kit's own words.
  const name = call.known || call.name === '' ? tool : <code>{tool}</code>
  return (
    <>
      {before}
      <bdi translate="no">{name}</bdi>
      {after}
    </>
  )
}
