import { Fragment, type ReactNode, useContext } from 'react'
import type { Catalogue } from '../core/labels.ts'
import type { Notice } from '../core/notice.ts'
import { useAnnouncer } from './announcer.ts'
import { ToolCallContext, useToolCallStore } from './context.ts'
import { type TurnRef, useTurn } from './hooks.ts'

/** What stands at the end of a turn that did not come to its natural end, so that the model's prose is never the last word. */
export function TurnNotice(ref: TurnRef): ReactNode {
  const { catalogue } = useContext(ToolCallContext)
  const turn = useTurn(ref)
  useAnnouncer(useToolCallStore(ref.store))
  if (turn === undefined || turn.notice === null) return null
  return (
    <p className="htc-notice" data-turn-notice={turn.id}>
      <bdi>{sentences(turn.notice, catalogue)}</bdi>
    </p>
  )
}

/** The words of `noticeSentences`, with the tools' names set apart from them: for other scripts, and for page translators. */
function sentences({ notRun, mayHaveRun, stopped, noToolRun }: Notice, catalogue: Catalogue): ReactNode {
  const words = catalogue.notice
  const all: ReactNode[] = []
  if (notRun.length > 0) all.push(<Named template={words.notRun} tools={notRun} catalogue={catalogue} />)
  if (mayHaveRun.length > 0) all.push(<Named template={words.mayHaveRun} tools={mayHaveRun} catalogue={catalogue} />)
  if (stopped !== null) all.push(words.stopped[stopped])
  if (noToolRun) all.push(words.noToolRun)
  return all.map((sentence, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: sentences have no state.
    <Fragment key={place}>
      {place > 0 && ' '}
      {sentence}
    </Fragment>
  ))
}

interface NamedProps {
  readonly template: string
  readonly tools: readonly string[]
  readonly catalogue: Catalogue
}

function Named({ template, tools, catalogue }: NamedProps): ReactNode {
  const [before, after] = template.split('{tools}')
  return (
    <>
      {before}
      {tools.map((tool, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and have no state.
        <Fragment key={place}>
          {place > 0 && ', '}
          {tool === '' ? catalogue.nameless.inside : <bdi translate="no">{tool}</bdi>}
        </Fragment>
      ))}
      {after}
    </>
  )
}
