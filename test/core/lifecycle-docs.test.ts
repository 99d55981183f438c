import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { drawExits, drawLifecycle } from './lifecycle-drawing.ts'

const PAGE = join(import.meta.dirname, '../../docs/lifecycle.md')

/** The page with its drawn parts as the table gives them; what is written by hand stays. */
function drawnPage(): string {
  const parts = { local: drawLifecycle('local'), others: drawLifecycle('others'), exits: drawExits() }
  return readFileSync(PAGE, 'utf8').replace(
    /<!-- drawn: (local|others|exits) -->.*?<!-- \/drawn -->/gs,
    (_, name: keyof typeof parts) => `<!-- drawn: ${name} -->\n\n${parts[name]}\n\n<!-- /drawn -->`,
  )
}

// `npm run docs` writes the page.
test('the lifecycle page draws what the lifecycle table says', async () => {
  await expect(drawnPage()).toMatchFileSnapshot(PAGE)
})

test('the page has a place for every drawn part', () => {
  expect(readFileSync(PAGE, 'utf8').match(/(?<=<!-- drawn: )\w+(?= -->)/g)).toEqual(['local', 'others', 'exits'])
})

test('the drawing has an edge where the table has one, and none elsewhere', () => {
  const edges = drawLifecycle('local').split('\n')
  expect(edges).toContain('  ready --> running : dispatched')
  expect(edges).toContain('  validating --> unfit : judged')
  expect(edges).toContain('  ready --> unanswered : deadline-passed')
  expect(edges).not.toContain('  preparing --> running : dispatched')
})

test('an edge that not all other executors have names those that have it', () => {
  const edges = drawLifecycle('others').split('\n')
  expect(edges).toContain('  running --> resuming : stream-ended (server, provider)')
  expect(edges).toContain('  running --> unanswered : stream-ended (server, provider), deadline-passed')
  expect(edges.filter((edge) => /validating|ready/.test(edge))).toEqual([])
})
