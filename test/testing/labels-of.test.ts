// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { labelsOf } from '../../src/testing/index.ts'

function containerOf(html: string): HTMLElement {
  const container = document.createElement('div')
  container.innerHTML = html
  return container
}

test('it reads the sentence of every block, in order, without the icon', () => {
  const container = containerOf(`
    <p>I will create that ticket for you now.</p>
    <div data-tool-call="a" role="group">
      <span aria-hidden="true">⊘</span>
      <span data-label=""><code>create_ticket</code> — not run (connection lost)</span>
      <button>Try again</button>
    </div>
    <section><div data-tool-call="b"><span data-label=""><span aria-hidden="true">✓ </span>add_task
      — done</span></div></section>
    <p>Not run: create_ticket.</p>`)
  expect(labelsOf(container)).toEqual(['create_ticket — not run (connection lost)', 'add_task — done'])
})

test('a block itself, a fragment and a document can be read', () => {
  const container = containerOf('<div data-tool-call="a"><b data-label>a — done</b></div>')
  const block = container.firstElementChild as Element
  expect(labelsOf(block)).toEqual(['a — done'])
  expect(labelsOf(container)).toEqual(['a — done'])
  const fragment = document.createDocumentFragment()
  fragment.append(container)
  expect(labelsOf(fragment)).toEqual(['a — done'])
  document.body.append(fragment)
  expect(labelsOf(document)).toEqual(['a — done'])
  document.body.replaceChildren()
})

test('a block without a sentence says nothing, and that shows', () => {
  expect(labelsOf(containerOf('<div data-tool-call="a"><span>Preparing…</span></div>'))).toEqual([''])
  expect(labelsOf(containerOf('<div data-tool-call="a"><b data-label>a <i hidden>— done</i></b></div>'))).toEqual(['a'])
  expect(labelsOf(containerOf('<p>Done.</p>'))).toEqual([])
})
