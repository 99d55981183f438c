import { act, render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createToolCallStore, ToolCallTurn } from '../../src/index.ts'

test('a call whose connection drops says so under the preamble, and is announced once', async () => {
  const store = createToolCallStore({ tools: { create_ticket: { executor: 'local' } }, defaultExecutor: 'local' })
  const stream = store.openStream()
  render(
    <StrictMode>
      <ToolCallTurn store={store} turnId={stream.turnId} />
    </StrictMode>,
  )
  await act(async () => {
    stream.push({ type: 'text-fragment', text: "I'll create that ticket for you now." })
    stream.push({ type: 'call-announced', key: 'a', callId: 'toolu_1', name: 'create_ticket' })
    stream.push({ type: 'call-fragment', key: 'a', text: '{"title":"Disk full","priority":"ur' })
    store.flush()
  })
  expect(screen.getByRole('group').outerHTML).toMatchInlineSnapshot(`"<div role="group" aria-labelledby="_r_0_" class="htc-call" data-tool-call="toolu_1" data-phase="preparing"><p class="htc-label"><svg class="htc-icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d="M8 2a6 6 0 1 1-6 6"></path></svg><span id="_r_0_" data-label="">Preparing <bdi translate="no">create_ticket</bdi>…</span></p><div class="htc-preview" aria-busy="true" aria-live="off"><dl><div class="htc-row" data-settled="true"><dt dir="auto">title</dt><dd dir="auto">Disk full</dd></div><div class="htc-row" data-settled="false"><dt dir="auto">priority</dt><dd dir="auto">ur</dd></div></dl><p class="htc-received">35 characters received</p></div></div>"`)
  await act(async () => stream.end({ type: 'lost', how: 'connection-lost', speaker: 'nobody' }))
  expect(screen.getByRole('group', { name: 'create_ticket — not run (connection lost)' })).toBeVisible()
  expect(screen.getByRole('status')).toHaveTextContent('create_ticket — not run (connection lost)')
  expect(document.body.innerHTML).toMatchInlineSnapshot(`"<div><div class="htc-turn" data-turn="kit-turn-1"><p class="htc-text" dir="auto">I'll create that ticket for you now.</p><div role="group" aria-labelledby="_r_0_" class="htc-call" data-tool-call="toolu_1" data-phase="settled" data-ran="no" data-cause="connection-lost"><p class="htc-label"><svg class="htc-icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><circle cx="8" cy="8" r="6"></circle><path d="M3.8 12.2l8.4-8.4"></path></svg><span id="_r_0_" data-label=""><bdi translate="no">create_ticket</bdi> — not run (connection lost)</span></p></div><p class="htc-notice" data-turn-notice="kit-turn-1">Not run: create_ticket.</p></div></div><div role="status" class="htc-announcer"><p>create_ticket — not run (connection lost)</p></div>"`)
  expect(renderToString(<ToolCallTurn store={store} turnId={stream.turnId} />)).toContain('not run (connection lost)')
})
