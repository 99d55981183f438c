const BLOCK = '[data-tool-call]'

/**
 * What a container says of its calls: the visible sentence of every block, in order, without the icon.
 * Blocks are the elements with `data-tool-call`, their sentence is in the one with `data-label`; a block without one
 * says nothing: `''`. Reads any DOM (a browser's, jsdom's), whatever rendered it.
 * @example expect(labelsOf(container)).toEqual(['create_ticket — not run (connection lost)'])
 */
export function labelsOf(container: ParentNode): readonly string[] {
  const blocks = [...container.querySelectorAll(BLOCK)]
  if ('matches' in container && (container as Element).matches(BLOCK)) blocks.unshift(container as Element)
  return blocks.map((block) => {
    const label = block.querySelector('[data-label]')
    return label === null ? '' : visibleText(label).replace(/\s+/g, ' ').trim()
  })
}

function visibleText(node: Node): string {
  if (node.nodeType === TEXT_NODE) return node.nodeValue ?? ''
  if ('getAttribute' in node && isHidden(node as Element)) return ''
  return [...node.childNodes].map(visibleText).join('')
}

// Not every DOM comes with its classes as globals.
const TEXT_NODE = 3

function isHidden(element: Element): boolean {
  return element.getAttribute('aria-hidden') === 'true' || element.hasAttribute('hidden')
}
