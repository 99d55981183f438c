import { act, render } from '@testing-library/react'
import { StrictMode } from 'react'
import { expect, test } from 'vitest'
import { type ToolCallActions, ToolCallBlock, type ToolCallStore, ToolCallTurn } from '../../src/index.ts'
import { secretRun } from '../record/secret-run.ts'

const actions: ToolCallActions = { answer: () => {}, tryAgain: () => {}, check: () => {} }

/** Every turn of every store on one page, and after each step all that is in the document: text, attributes and regions. */
async function shown(sensitive?: readonly string[]) {
  let drawn: ToolCallStore | undefined
  let turns = 0
  const spoken = new Set<string>()
  const page = render(<div />)
  const { found } = await secretRun({
    ...(sensitive === undefined ? {} : { sensitive }),
    perform: (step) => act(step),
    show(store) {
      if (store !== drawn || store.turnIds().length !== turns) {
        drawn = store
        turns = store.turnIds().length
        act(() =>
          page.rerender(
            <StrictMode>
              {store.turnIds().map((turnId) => (
                <ToolCallTurn key={turnId} store={store} turnId={turnId} actions={actions} />
              ))}
              <ToolCallBlock store={store} toolCallId="c1" />
            </StrictMode>,
          ),
        )
      }
      const regions = [...document.querySelectorAll('.htc-announcer')].map(({ textContent }) => textContent ?? '')
      for (const text of regions) spoken.add(text)
      return { document: document.documentElement.outerHTML, announcements: regions.join('\n') }
    },
  })
  page.unmount()
  return { document: found.get('document'), announcements: found.get('announcements'), spoken: [...spoken].join('\n') }
}

test('secrets in sensitive members are nowhere in the document, at any time', { timeout: 60_000 }, async () => {
  const { document, announcements, spoken } = await shown()
  expect(document?.leaks).toEqual([])
  expect(document?.texts).toBeGreaterThan(1_000)
  // Seen in previews and questions, so that the search would find what is there.
  expect(document?.visible).toBe(true)
  expect(announcements).toMatchObject({ leaks: [], visible: false })
  for (const words of ['waiting for your approval', 'done', 'not run (the details were not valid)', 'may have run'])
    expect(spoken).toContain(words)
})

test('they would be found: without a declaration they are shown, and never spoken', { timeout: 60_000 }, async () => {
  const { document, announcements } = await shown([])
  expect(document?.leaks.length).toBeGreaterThan(0)
  expect(announcements?.leaks).toEqual([])
})
