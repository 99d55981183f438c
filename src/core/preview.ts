import { Allow, parse } from 'partial-json'
import { topLevelKeys } from './spans.ts'
import { plainText, visibleText } from './text.ts'
import type { ToolDeclaration } from './tools.ts'

/** Rows for the eye, read from an unfinished buffer: no tool accepts them. */
export type Preview = readonly PreviewRow[]

export interface PreviewRow {
  /** The top-level member, `''` for a document that is not an object. */
  readonly path: string
  readonly text: string
  /** True once another member has begun: only then is this one's value final. */
  readonly settled: boolean
}

// Numbers and literals are left out until they are whole: `12` may become `1204.5`, `tru` may become anything.
const ALLOW = Allow.STR | Allow.OBJ | Allow.ARR

// Half a character at the cut, as it is or as an escape: inside an array or object it would be shown as an escape.
const HALF_CHARACTER = /[\ud800-\udbff]$|\\u[dD][89abAB][\da-fA-F]{2}(?:\\(?:u[\da-fA-F]{0,3})?)?$/

const NONE: Preview = []

/** Reads rows from the head of one call's buffer, again only when it has grown. Never throws. */
export class Previewer {
  #head = ''
  #tool: ToolDeclaration | undefined
  #rows: Preview = NONE

  /** Whether the rows of this head are at hand. */
  hasRead(head: string, tool: ToolDeclaration | undefined): boolean {
    return head === this.#head && tool === this.#tool
  }

  rows(head: string, encoding: 'json' | 'text', tool: ToolDeclaration | undefined): Preview {
    if (this.hasRead(head, tool)) return this.#rows
    // A replay begins anew; and what a tool hides must not stay because it was shown before the tool's name came.
    if (tool !== this.#tool || !head.startsWith(this.#head)) this.#rows = NONE
    this.#head = head
    this.#tool = tool
    const rows = encoding === 'text' ? whole(head, tool) : read(head, tool)
    // A cut in an awkward place must not make a row vanish that was there a moment ago.
    if (rows.length >= this.#rows.length) this.#rows = rows
    return this.#rows
  }
}

/** Rows of what a person is asked about: strictly parsed, final, and with nothing in them that cannot be seen. */
export function askedRows(args: unknown, tool: ToolDeclaration | undefined): Preview {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    if (args === null || args === undefined || isRestricted(tool)) return NONE
    return [{ path: '', text: visibleText(textOf(args)), settled: true }]
  }
  return Object.entries(args).flatMap(([key, value]) =>
    isShown(key, tool) && value !== undefined
      ? [{ path: visibleText(key), text: visibleText(textOf(value)), settled: true }]
      : [],
  )
}

function read(head: string, tool: ToolDeclaration | undefined): Preview {
  let value: unknown
  try {
    value = parse(head.replace(HALF_CHARACTER, ''), ALLOW)
  } catch {
    return NONE
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    // A number out here has no end that would tell that it is whole.
    return value === undefined || typeof value === 'number' ? NONE : whole(value, tool)
  }
  const keys = topLevelKeys(head)
  const open = keys.at(-1)
  const rows: PreviewRow[] = []
  for (const key of new Set(keys)) {
    // Own members only: the tolerant parser takes `__proto__` for the prototype.
    if (!Object.hasOwn(value, key) || !isShown(key, tool)) continue
    rows.push({ path: plainText(key), text: shown((value as Record<string, unknown>)[key]), settled: key !== open })
  }
  return rows
}

/** What is no object has no members, so that it cannot be told which part of it may be shown. */
function whole(value: unknown, tool: ToolDeclaration | undefined): Preview {
  return isRestricted(tool) ? NONE : [{ path: '', text: shown(value), settled: false }]
}

function isRestricted(tool: ToolDeclaration | undefined): boolean {
  return tool?.display !== undefined || (tool?.sensitive ?? []).length > 0
}

function isShown(key: string, tool: ToolDeclaration | undefined): boolean {
  if (tool?.sensitive?.includes(key) === true) return false
  return tool?.display === undefined || tool.display.includes(key)
}

function shown(value: unknown): string {
  return plainText(textOf(value))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
