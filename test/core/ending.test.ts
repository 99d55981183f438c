import { describe, expect, test } from 'vitest'
import { ArgumentBuffer } from '../../src/core/argument-buffer.ts'
import type { Call } from '../../src/core/call.ts'
import { isHandedOver, settledByEnding } from '../../src/core/ending.ts'
import type { Ending } from '../../src/core/events.ts'
import type { MessageEnd } from '../../src/core/message-end.ts'
import type { Executor } from '../../src/core/tools.ts'
import { ENDINGS } from './lifecycle-variants.ts'

/** The states of a call that the tables below tell apart, by the heads of their columns. */
const STANDING = {
  empty: { text: '', finished: null },
  open: { text: '{"month":', finished: null },
  'open, whole': { text: '{"month":"March"}', finished: null },
  incomplete: { text: '{"month":', finished: 'incomplete' },
  'handed over': { text: '{"month":"March"}', finished: 'complete' },
} as const satisfies Record<string, { text: string; finished: Call['finished'] }>

const STOPS = {
  natural: { reason: 'natural', finishesOpenCalls: false },
  'natural, finishing calls': { reason: 'natural', finishesOpenCalls: true },
  'end marker': { reason: null, finishesOpenCalls: false },
  'end marker, finishing calls': { reason: null, finishesOpenCalls: true },
  length: { reason: 'length', finishesOpenCalls: true },
  filter: { reason: 'filter', finishesOpenCalls: true },
  malformed: { reason: 'malformed', finishesOpenCalls: true },
  error: { reason: 'error', finishesOpenCalls: true },
  paused: { reason: 'paused', finishesOpenCalls: true },
  cancelled: { reason: 'cancelled', finishesOpenCalls: true },
  unknown: { reason: 'unknown', finishesOpenCalls: true },
} as const satisfies Record<string, MessageEnd>

function callOf(
  executor: Executor,
  standing: keyof typeof STANDING,
  end: MessageEnd | null = null,
  noted: Partial<Call> = {},
): Call {
  const { text, finished } = STANDING[standing]
  const buffer = new ArgumentBuffer()
  buffer.append(text)
  return {
    key: '0',
    order: 0,
    block: '0',
    attempt: 1,
    replaced: false,
    message: {
      key: '#0',
      id: undefined,
      order: 0,
      stream: 0,
      calls: [],
      end,
      text: null,
      correctable: false,
      batch: 'open',
    },
    buffer,
    encoding: 'json',
    byProvider: executor === 'provider',
    id: 'c1',
    hasWireId: true,
    name: 'export_report',
    executor,
    finished,
    approval: 'none',
    approvalId: undefined,
    dispatched: false,
    verdict: null,
    state: { phase: finished === 'complete' ? 'sent' : 'preparing' },
    ...noted,
  }
}

/** `no` or `may`, the cause and the detail. */
function told(call: Call, ending: Ending): string {
  const { ran, cause, detail } = settledByEnding(call, ending)
  return [ran === 'unknown' ? 'may' : ran, cause, ...(detail === undefined ? [] : [`(${detail})`])].join(' ')
}

function nameOf(ending: Ending): string {
  switch (ending.type) {
    case 'complete':
      return `complete, ${ending.speaker}`
    case 'cancelled':
      return `cancelled, ${ending.by}${ending.acknowledged ? ', acknowledged' : ''}`
    case 'lost':
      return ending.detail === undefined ? `${ending.how}, ${ending.speaker}` : `${ending.how} (${ending.detail})`
    default:
      return ending satisfies never
  }
}

interface Cell {
  readonly row: string
  readonly column: string
  readonly says: string
}

/** The cells of a table: a line of heads, then a line per row. */
function cellsOf(table: string): Cell[] {
  const [head = [], ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  return rows.flatMap(([row = '', ...says]) =>
    says.map((cell, place) => ({ row, column: head[place + 1] ?? '', says: cell })),
  )
}

/** Of calls whose message never ended. Only a word of its own executor says of any of them that it did not run. */
const BY_ENDING: Record<Exclude<Executor, 'local'>, string> = {
  server: `
    ending                        | open                                   | open, whole                            | incomplete                             | handed over
    complete, executor            | no ended-early (incomplete-at-finish)  | may ended-early (incomplete-at-finish) | no ended-early (incomplete-at-finish)  | may no-result
    complete, model               | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may no-result
    complete, relay               | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may no-result
    complete, nobody              | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may no-result
    cancelled, user, acknowledged | no cancelled (user)                    | may cancelled (user)                   | no cancelled (user)                    | may cancelled (user)
    cancelled, user               | may cancelled (user)                   | may cancelled (user)                   | may cancelled (user)                   | may cancelled (user)
    cancelled, host, acknowledged | no cancelled (host)                    | may cancelled (host)                   | no cancelled (host)                    | may cancelled (host)
    cancelled, host               | may cancelled (host)                   | may cancelled (host)                   | may cancelled (host)                   | may cancelled (host)
    connection-lost, executor     | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)
    connection-lost, model        | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)
    connection-lost, relay        | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)
    connection-lost, nobody       | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)
    idle, executor                | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)
    idle, model                   | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)
    idle, relay                   | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)
    idle, nobody                  | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)
    ended-early, executor         | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)
    ended-early, model            | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)
    ended-early, relay            | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)
    ended-early, nobody           | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)
    provider-error, executor      | no provider-error                      | may provider-error                     | no provider-error                      | may provider-error
    provider-error, model         | may provider-error                     | may provider-error                     | may provider-error                     | may provider-error
    provider-error, relay         | may provider-error                     | may provider-error                     | may provider-error                     | may provider-error
    provider-error, nobody        | may provider-error                     | may provider-error                     | may provider-error                     | may provider-error
    reloaded, executor            | may reloaded                           | may reloaded                           | may reloaded                           | may reloaded
    reloaded, model               | may reloaded                           | may reloaded                           | may reloaded                           | may reloaded
    reloaded, relay               | may reloaded                           | may reloaded                           | may reloaded                           | may reloaded
    reloaded, nobody              | may reloaded                           | may reloaded                           | may reloaded                           | may reloaded
    idle (run)                    | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)             | may no-result
  `,
  host: `
    ending                        | open                                   | open, whole                            | incomplete                             | handed over
    complete, executor            | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may no-result
    complete, model               | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may no-result
    complete, relay               | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may no-result
    complete, nobody              | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may no-result
    cancelled, user, acknowledged | may cancelled (user)                   | may cancelled (user)                   | may cancelled (user)                   | may cancelled (user)
    cancelled, user               | may cancelled (user)                   | may cancelled (user)                   | may cancelled (user)                   | may cancelled (user)
    cancelled, host, acknowledged | may cancelled (host)                   | may cancelled (host)                   | may cancelled (host)                   | may cancelled (host)
    cancelled, host               | may cancelled (host)                   | may cancelled (host)                   | may cancelled (host)                   | may cancelled (host)
    connection-lost, executor     | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)
    connection-lost, model        | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)
    connection-lost, relay        | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)
    connection-lost, nobody       | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)
    idle, executor                | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)
    idle, model                   | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)
    idle, relay                   | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)
    idle, nobody                  | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)
    ended-early, executor         | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)
    ended-early, model            | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)
    ended-early, relay            | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)
    ended-early, nobody           | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)
    provider-error, executor      | may provider-error                     | may provider-error                     | may provider-error                     | may provider-error
    provider-error, model         | may provider-error                     | may provider-error                     | may provider-error                     | may provider-error
    provider-error, relay         | may provider-error                     | may provider-error                     | may provider-error                     | may provider-error
    provider-error, nobody        | may provider-error                     | may provider-error                     | may provider-error                     | may provider-error
    reloaded, executor            | may reloaded                           | may reloaded                           | may reloaded                           | may reloaded
    reloaded, model               | may reloaded                           | may reloaded                           | may reloaded                           | may reloaded
    reloaded, relay               | may reloaded                           | may reloaded                           | may reloaded                           | may reloaded
    reloaded, nobody              | may reloaded                           | may reloaded                           | may reloaded                           | may reloaded
    idle (run)                    | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)             | may no-result
  `,
  provider: `
    ending                        | open                                   | open, whole                            | incomplete                             | handed over
    complete, executor            | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may no-result
    complete, model               | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may no-result
    complete, relay               | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may no-result
    complete, nobody              | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may no-result
    cancelled, user, acknowledged | may cancelled (user)                   | may cancelled (user)                   | may cancelled (user)                   | may cancelled (user)
    cancelled, user               | may cancelled (user)                   | may cancelled (user)                   | may cancelled (user)                   | may cancelled (user)
    cancelled, host, acknowledged | may cancelled (host)                   | may cancelled (host)                   | may cancelled (host)                   | may cancelled (host)
    cancelled, host               | may cancelled (host)                   | may cancelled (host)                   | may cancelled (host)                   | may cancelled (host)
    connection-lost, executor     | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)
    connection-lost, model        | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)
    connection-lost, relay        | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)
    connection-lost, nobody       | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)          | may connection-lost (dropped)
    idle, executor                | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)
    idle, model                   | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)
    idle, relay                   | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)
    idle, nobody                  | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)
    ended-early, executor         | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)
    ended-early, model            | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)
    ended-early, relay            | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)
    ended-early, nobody           | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)          | may ended-early (no-terminal)
    provider-error, executor      | may provider-error                     | may provider-error                     | may provider-error                     | may provider-error
    provider-error, model         | may provider-error                     | may provider-error                     | may provider-error                     | may provider-error
    provider-error, relay         | may provider-error                     | may provider-error                     | may provider-error                     | may provider-error
    provider-error, nobody        | may provider-error                     | may provider-error                     | may provider-error                     | may provider-error
    reloaded, executor            | may reloaded                           | may reloaded                           | may reloaded                           | may reloaded
    reloaded, model               | may reloaded                           | may reloaded                           | may reloaded                           | may reloaded
    reloaded, relay               | may reloaded                           | may reloaded                           | may reloaded                           | may reloaded
    reloaded, nobody              | may reloaded                           | may reloaded                           | may reloaded                           | may reloaded
    idle (run)                    | may connection-lost (idle)             | may connection-lost (idle)             | may connection-lost (idle)             | may no-result
  `,
}

for (const [executor, table] of Object.entries(BY_ENDING)) {
  describe(`a ${executor} call whose message never ended, when its stream ends`, () => {
    for (const ending of ENDINGS) {
      test(nameOf(ending), () => {
        const cells = cellsOf(table).filter(({ row }) => row === nameOf(ending))
        expect(cells.map(({ column }) => column)).toEqual(['open', 'open, whole', 'incomplete', 'handed over'])
        for (const { column, says } of cells) {
          expect(`${column}: ${told(callOf(executor as Executor, column as keyof typeof STANDING), ending)}`).toBe(
            `${column}: ${says}`,
          )
        }
      })
    }
  })
}

/** Of calls whose message ended: the stop reason is kept, and becomes the cause once the call may settle by it. */
const BY_STOP: readonly { executor: Executor; ending: Ending; table: string }[] = [
  {
    executor: 'server',
    ending: { type: 'complete', speaker: 'executor' },
    table: `
    stop reason                 | empty                                 | open                                  | open, whole                            | handed over
    natural                     | no ended-early (incomplete-at-finish) | no ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may no-result
    natural, finishing calls    | may no-result                         | may no-result                         | may no-result                          | may no-result
    end marker                  | no ended-early (incomplete-at-finish) | no ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may no-result
    end marker, finishing calls | no ended-early (incomplete-at-finish) | may no-result                         | may no-result                          | may no-result
    length                      | no truncated (max-tokens)             | no truncated (max-tokens)             | may truncated (max-tokens)             | may no-result (max-tokens)
    filter                      | no filtered (content-filter)          | no filtered (content-filter)          | may filtered (content-filter)          | may no-result (content-filter)
    malformed                   | no unparseable (malformed)            | no unparseable (malformed)            | may unrecognised (malformed)           | may unrecognised (malformed)
    error                       | no provider-error (stop-reason)       | no provider-error (stop-reason)       | may provider-error (stop-reason)       | may provider-error (stop-reason)
    paused                      | no unrecognised (paused)              | no unrecognised (paused)              | may no-result (paused)                 | may no-result (paused)
    cancelled                   | no cancelled (stop-reason)            | no cancelled (stop-reason)            | may cancelled (stop-reason)            | may cancelled (stop-reason)
    unknown                     | no unrecognised (stop-reason)         | no unrecognised (stop-reason)         | may unrecognised (stop-reason)         | may unrecognised (stop-reason)
  `,
  },
  {
    executor: 'server',
    ending: { type: 'complete', speaker: 'model' },
    table: `
    stop reason                 | empty                                  | open                                   | open, whole                            | handed over
    natural                     | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may no-result
    natural, finishing calls    | may no-result                          | may no-result                          | may no-result                          | may no-result
    end marker                  | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may no-result
    end marker, finishing calls | may ended-early (incomplete-at-finish) | may no-result                          | may no-result                          | may no-result
    length                      | may truncated (max-tokens)             | may truncated (max-tokens)             | may truncated (max-tokens)             | may no-result (max-tokens)
    filter                      | may filtered (content-filter)          | may filtered (content-filter)          | may filtered (content-filter)          | may no-result (content-filter)
    malformed                   | may unrecognised (malformed)           | may unrecognised (malformed)           | may unrecognised (malformed)           | may unrecognised (malformed)
    error                       | may provider-error (stop-reason)       | may provider-error (stop-reason)       | may provider-error (stop-reason)       | may provider-error (stop-reason)
    paused                      | may no-result (paused)                 | may no-result (paused)                 | may no-result (paused)                 | may no-result (paused)
    cancelled                   | may cancelled (stop-reason)            | may cancelled (stop-reason)            | may cancelled (stop-reason)            | may cancelled (stop-reason)
    unknown                     | may unrecognised (stop-reason)         | may unrecognised (stop-reason)         | may unrecognised (stop-reason)         | may unrecognised (stop-reason)
  `,
  },
  {
    executor: 'server',
    ending: { type: 'lost', how: 'connection-lost', speaker: 'nobody' },
    table: `
    stop reason                 | empty                            | open                             | open, whole                      | handed over
    natural                     | may connection-lost (dropped)    | may connection-lost (dropped)    | may connection-lost (dropped)    | may connection-lost (dropped)
    natural, finishing calls    | may connection-lost (dropped)    | may connection-lost (dropped)    | may connection-lost (dropped)    | may connection-lost (dropped)
    end marker                  | may connection-lost (dropped)    | may connection-lost (dropped)    | may connection-lost (dropped)    | may connection-lost (dropped)
    end marker, finishing calls | may connection-lost (dropped)    | may connection-lost (dropped)    | may connection-lost (dropped)    | may connection-lost (dropped)
    length                      | may truncated (max-tokens)       | may truncated (max-tokens)       | may truncated (max-tokens)       | may connection-lost (dropped)
    filter                      | may filtered (content-filter)    | may filtered (content-filter)    | may filtered (content-filter)    | may connection-lost (dropped)
    malformed                   | may unrecognised (malformed)     | may unrecognised (malformed)     | may unrecognised (malformed)     | may unrecognised (malformed)
    error                       | may provider-error (stop-reason) | may provider-error (stop-reason) | may provider-error (stop-reason) | may provider-error (stop-reason)
    paused                      | may no-result (paused)           | may no-result (paused)           | may no-result (paused)           | may no-result (paused)
    cancelled                   | may cancelled (stop-reason)      | may cancelled (stop-reason)      | may cancelled (stop-reason)      | may cancelled (stop-reason)
    unknown                     | may unrecognised (stop-reason)   | may unrecognised (stop-reason)   | may unrecognised (stop-reason)   | may unrecognised (stop-reason)
  `,
  },
  {
    executor: 'host',
    ending: { type: 'complete', speaker: 'executor' },
    table: `
    stop reason                 | empty                                  | open                                   | open, whole                            | handed over
    natural                     | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may no-result
    natural, finishing calls    | may no-result                          | may no-result                          | may no-result                          | may no-result
    end marker                  | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may no-result
    end marker, finishing calls | may ended-early (incomplete-at-finish) | may no-result                          | may no-result                          | may no-result
    length                      | may truncated (max-tokens)             | may truncated (max-tokens)             | may truncated (max-tokens)             | may no-result (max-tokens)
    filter                      | may filtered (content-filter)          | may filtered (content-filter)          | may filtered (content-filter)          | may no-result (content-filter)
    malformed                   | may unrecognised (malformed)           | may unrecognised (malformed)           | may unrecognised (malformed)           | may unrecognised (malformed)
    error                       | may provider-error (stop-reason)       | may provider-error (stop-reason)       | may provider-error (stop-reason)       | may provider-error (stop-reason)
    paused                      | may no-result (paused)                 | may no-result (paused)                 | may no-result (paused)                 | may no-result (paused)
    cancelled                   | may cancelled (stop-reason)            | may cancelled (stop-reason)            | may cancelled (stop-reason)            | may cancelled (stop-reason)
    unknown                     | may unrecognised (stop-reason)         | may unrecognised (stop-reason)         | may unrecognised (stop-reason)         | may unrecognised (stop-reason)
  `,
  },
  {
    executor: 'host',
    ending: { type: 'lost', how: 'connection-lost', speaker: 'nobody' },
    table: `
    stop reason                 | empty                            | open                             | open, whole                      | handed over
    natural                     | may connection-lost (dropped)    | may connection-lost (dropped)    | may connection-lost (dropped)    | may connection-lost (dropped)
    natural, finishing calls    | may connection-lost (dropped)    | may connection-lost (dropped)    | may connection-lost (dropped)    | may connection-lost (dropped)
    end marker                  | may connection-lost (dropped)    | may connection-lost (dropped)    | may connection-lost (dropped)    | may connection-lost (dropped)
    end marker, finishing calls | may connection-lost (dropped)    | may connection-lost (dropped)    | may connection-lost (dropped)    | may connection-lost (dropped)
    length                      | may truncated (max-tokens)       | may truncated (max-tokens)       | may truncated (max-tokens)       | may connection-lost (dropped)
    filter                      | may filtered (content-filter)    | may filtered (content-filter)    | may filtered (content-filter)    | may connection-lost (dropped)
    malformed                   | may unrecognised (malformed)     | may unrecognised (malformed)     | may unrecognised (malformed)     | may unrecognised (malformed)
    error                       | may provider-error (stop-reason) | may provider-error (stop-reason) | may provider-error (stop-reason) | may provider-error (stop-reason)
    paused                      | may no-result (paused)           | may no-result (paused)           | may no-result (paused)           | may no-result (paused)
    cancelled                   | may cancelled (stop-reason)      | may cancelled (stop-reason)      | may cancelled (stop-reason)      | may cancelled (stop-reason)
    unknown                     | may unrecognised (stop-reason)   | may unrecognised (stop-reason)   | may unrecognised (stop-reason)   | may unrecognised (stop-reason)
  `,
  },
  {
    executor: 'provider',
    ending: { type: 'complete', speaker: 'executor' },
    table: `
    stop reason                 | empty                                 | open                                  | open, whole                            | handed over
    natural                     | no ended-early (incomplete-at-finish) | no ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may no-result
    natural, finishing calls    | may no-result                         | may no-result                         | may no-result                          | may no-result
    end marker                  | no ended-early (incomplete-at-finish) | no ended-early (incomplete-at-finish) | may ended-early (incomplete-at-finish) | may no-result
    end marker, finishing calls | no ended-early (incomplete-at-finish) | may no-result                         | may no-result                          | may no-result
    length                      | no truncated (max-tokens)             | no truncated (max-tokens)             | may truncated (max-tokens)             | may no-result (max-tokens)
    filter                      | no filtered (content-filter)          | no filtered (content-filter)          | may filtered (content-filter)          | may no-result (content-filter)
    malformed                   | may unrecognised (malformed)          | may unrecognised (malformed)          | may unrecognised (malformed)           | may unrecognised (malformed)
    error                       | may provider-error (stop-reason)      | may provider-error (stop-reason)      | may provider-error (stop-reason)       | may provider-error (stop-reason)
    paused                      | may no-result (paused)                | may no-result (paused)                | may no-result (paused)                 | may no-result (paused)
    cancelled                   | may cancelled (stop-reason)           | may cancelled (stop-reason)           | may cancelled (stop-reason)            | may cancelled (stop-reason)
    unknown                     | may unrecognised (stop-reason)        | may unrecognised (stop-reason)        | may unrecognised (stop-reason)         | may unrecognised (stop-reason)
  `,
  },
  {
    executor: 'provider',
    ending: { type: 'lost', how: 'connection-lost', speaker: 'nobody' },
    table: `
    stop reason                 | empty                            | open                             | open, whole                      | handed over
    natural                     | no connection-lost (dropped)     | no connection-lost (dropped)     | may connection-lost (dropped)    | may connection-lost (dropped)
    natural, finishing calls    | may connection-lost (dropped)    | may connection-lost (dropped)    | may connection-lost (dropped)    | may connection-lost (dropped)
    end marker                  | no connection-lost (dropped)     | no connection-lost (dropped)     | may connection-lost (dropped)    | may connection-lost (dropped)
    end marker, finishing calls | no connection-lost (dropped)     | may connection-lost (dropped)    | may connection-lost (dropped)    | may connection-lost (dropped)
    length                      | no truncated (max-tokens)        | no truncated (max-tokens)        | may truncated (max-tokens)       | may connection-lost (dropped)
    filter                      | no filtered (content-filter)     | no filtered (content-filter)     | may filtered (content-filter)    | may connection-lost (dropped)
    malformed                   | may unrecognised (malformed)     | may unrecognised (malformed)     | may unrecognised (malformed)     | may unrecognised (malformed)
    error                       | may provider-error (stop-reason) | may provider-error (stop-reason) | may provider-error (stop-reason) | may provider-error (stop-reason)
    paused                      | may no-result (paused)           | may no-result (paused)           | may no-result (paused)           | may no-result (paused)
    cancelled                   | may cancelled (stop-reason)      | may cancelled (stop-reason)      | may cancelled (stop-reason)      | may cancelled (stop-reason)
    unknown                     | may unrecognised (stop-reason)   | may unrecognised (stop-reason)   | may unrecognised (stop-reason)   | may unrecognised (stop-reason)
  `,
  },
]

for (const { executor, ending, table } of BY_STOP) {
  describe(`a ${executor} call whose message ended, when its stream ends: ${nameOf(ending)}`, () => {
    for (const [stop, end] of Object.entries(STOPS)) {
      test(`after the stop reason "${stop}"`, () => {
        const cells = cellsOf(table).filter(({ row }) => row === stop)
        expect(cells.map(({ column }) => column)).toEqual(['empty', 'open', 'open, whole', 'handed over'])
        for (const { column, says } of cells) {
          expect(`${column}: ${told(callOf(executor, column as keyof typeof STANDING, end), ending)}`).toBe(
            `${column}: ${says}`,
          )
        }
      })
    }
  })
}

describe('a call of ours did not run, whatever came of its message, as nobody here dispatched it', () => {
  for (const ending of ENDINGS) {
    test(nameOf(ending), () => {
      for (const standing of Object.keys(STANDING) as (keyof typeof STANDING)[]) {
        for (const end of [null, ...Object.values(STOPS)]) {
          expect(settledByEnding(callOf('local', standing, end), ending).ran).toBe('no')
        }
      }
    })
  }

  test('a stop reason of its message is the cause, before the ending of the stream', () => {
    const lost: Ending = { type: 'lost', how: 'connection-lost', speaker: 'nobody' }
    expect(told(callOf('local', 'open', STOPS.length), lost)).toBe('no truncated (max-tokens)')
    expect(told(callOf('local', 'open', STOPS.natural), lost)).toBe('no connection-lost (dropped)')
    expect(told(callOf('local', 'open', null), lost)).toBe('no connection-lost (dropped)')
  })
})

describe('what overrides every word about the end', () => {
  const others = ['server', 'host', 'provider'] as const
  const executorDone: Ending = { type: 'complete', speaker: 'executor' }

  for (const executor of others) {
    test(`a ${executor} call whose input its wire rejected did not run, unless it was dispatched`, () => {
      for (const ending of ENDINGS) {
        const rejected = callOf(executor, 'open', null, { finished: 'rejected' })
        expect(told(rejected, ending)).toBe('no invalid-arguments (rejected)')
        expect(settledByEnding({ ...rejected, dispatched: true }, ending).ran).toBe('unknown')
      }
    })

    test(`a ${executor} call that was dispatched may have run, though its input never became whole`, () => {
      for (const end of [null, ...Object.values(STOPS)]) {
        expect(settledByEnding(callOf(executor, 'open', end, { dispatched: true }), executorDone).ran).toBe('unknown')
      }
    })

    test(`a ${executor} call that was approved may have run`, () => {
      for (const end of [null, ...Object.values(STOPS)]) {
        expect(settledByEnding(callOf(executor, 'open', end, { approval: 'granted' }), executorDone).ran).toBe(
          'unknown',
        )
      }
    })
  }
})

describe('a call is handed over', () => {
  const rows: readonly { standing: keyof typeof STANDING; stop: keyof typeof STOPS | null; handed: boolean }[] = [
    { standing: 'handed over', stop: null, handed: true },
    { standing: 'handed over', stop: 'length', handed: true },
    { standing: 'open', stop: null, handed: false },
    { standing: 'open, whole', stop: null, handed: false },
    { standing: 'open', stop: 'natural', handed: false },
    { standing: 'open', stop: 'natural, finishing calls', handed: true },
    { standing: 'empty', stop: 'natural, finishing calls', handed: true },
    { standing: 'open', stop: 'end marker, finishing calls', handed: true },
    { standing: 'empty', stop: 'end marker, finishing calls', handed: false },
    { standing: 'open', stop: 'length', handed: false },
    { standing: 'incomplete', stop: 'natural, finishing calls', handed: false },
  ]
  for (const { standing, stop, handed } of rows) {
    test(`${standing}, ${stop === null ? 'no end of its message' : `end by "${stop}"`}: ${handed}`, () => {
      expect(isHandedOver(callOf('server', standing, stop === null ? null : STOPS[stop]))).toBe(handed)
    })
  }
})
