import type { ReplayEnding } from '../../src/testing/index.ts'

/** What can go wrong with a stream. */
type Fault =
  | 'drop'
  | 'clean end'
  | 'stall'
  | 'ceiling'
  | 'filter'
  | 'malformed'
  | 'schema'
  | 'provider error'
  | 'never finished'
  | 'cancel'
  | 'reload'
  | 'end after preamble'

/** A recording of the corpus, made to end in one way, and what the page must say then. */
export interface FaultCase {
  readonly capture: string
  /** Changes the recording; throws where what is to be changed is not in it. */
  readonly edit: (text: string) => string
  readonly ending: ReplayEnding
  /** A member that the tool's schema asks for and that the recording does not have. */
  readonly required?: string
  readonly labels: readonly string[]
  readonly notice: string
}

/** The text up to and with the frame that has this in it. */
function upTo(marker: string): (text: string) => string {
  return (text) => {
    const end = text.indexOf('\n\n', indexOf(text, marker))
    return text.slice(0, end + 2)
  }
}

function replaced(...changes: readonly (readonly [string, string])[]): (text: string) => string {
  return (text) =>
    changes.reduce((changed, [before, after]) => {
      indexOf(changed, before)
      return changed.replaceAll(before, after)
    }, text)
}

function indexOf(text: string, marker: string): number {
  const found = text.indexOf(marker)
  if (found < 0) throw new Error(`The recording has no ${marker}.`)
  return found
}

const whole = (text: string): string => text

const ticket = 'anthropic/max-tokens-closed-block'
const insideTicket = upTo('\\"descr')

const anthropic = {
  drop: {
    capture: ticket,
    edit: insideTicket,
    ending: 'error',
    labels: ['create_ticket — not run (connection lost)'],
    notice: 'Not run: create_ticket.',
  },
  'clean end': {
    capture: ticket,
    edit: insideTicket,
    ending: 'eof',
    labels: ['create_ticket — not run (the response ended early)'],
    notice: 'Not run: create_ticket.',
  },
  stall: {
    capture: ticket,
    edit: insideTicket,
    ending: 'stall',
    labels: ['create_ticket — not run (connection lost)'],
    notice: 'Not run: create_ticket.',
  },
  ceiling: {
    capture: ticket,
    edit: whole,
    ending: 'done',
    labels: ['create_ticket — not run (the request was cut short)'],
    notice: 'Not run: create_ticket.',
  },
  filter: {
    capture: ticket,
    edit: replaced(['"max_tokens"', '"refusal"']),
    ending: 'done',
    labels: ['create_ticket — not run (stopped by a content filter)'],
    notice: 'Not run: create_ticket.',
  },
  malformed: {
    capture: ticket,
    edit: replaced(['"max_tokens"', '"tool_use"']),
    ending: 'done',
    labels: ['create_ticket — not run (the request was unreadable)'],
    notice: 'Not run: create_ticket.',
  },
  schema: {
    capture: ticket,
    edit: replaced(['"max_tokens"', '"tool_use"'], ['to be the tax"}', 'to be the tax\\"}"}']),
    ending: 'done',
    required: 'assignee',
    labels: ['create_ticket — not run (the details were not valid)'],
    notice: 'Not run: create_ticket.',
  },
  'provider error': {
    capture: ticket,
    edit: (text) =>
      `${insideTicket(text)}event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"MARKER"}}\n\n`,
    ending: 'eof',
    labels: ['create_ticket — not run (the service reported an error)'],
    notice: 'Not run: create_ticket.',
  },
  'never finished': {
    capture: ticket,
    edit: replaced(
      ['"max_tokens"', '"tool_use"'],
      ['event: content_block_stop\ndata: {"type":"content_block_stop","index":1}\n\n', ''],
    ),
    ending: 'done',
    labels: ['create_ticket — not run (the response ended early)'],
    notice: 'Not run: create_ticket.',
  },
  cancel: {
    capture: ticket,
    edit: insideTicket,
    ending: 'user-cancel',
    labels: ['create_ticket — cancelled'],
    notice: 'Not run: create_ticket.',
  },
  reload: {
    capture: ticket,
    edit: insideTicket,
    ending: 'reload',
    labels: ['create_ticket — not run (the page was closed)'],
    notice: 'Not run: create_ticket.',
  },
  'end after preamble': {
    capture: ticket,
    edit: upTo('"content_block_stop","index":0'),
    ending: 'error',
    labels: [],
    notice: 'The reply stopped here (connection lost). No tool was run.',
  },
} as const satisfies Record<Fault, FaultCase>

const file = 'openai-chat/content-filter-no-done'
const insideFile = upTo('Step one')

const openaiChat = {
  drop: {
    capture: file,
    edit: insideFile,
    ending: 'error',
    labels: ['write_file — not run (connection lost)'],
    notice: 'Not run: write_file.',
  },
  'clean end': {
    capture: file,
    edit: insideFile,
    ending: 'eof',
    labels: ['write_file — not run (the response ended early)'],
    notice: 'Not run: write_file.',
  },
  stall: {
    capture: 'openai-chat/stall-after-first-fragment',
    edit: whole,
    ending: 'stall',
    labels: ['create_ticket — not run (connection lost)'],
    notice: 'Not run: create_ticket.',
  },
  ceiling: {
    capture: file,
    edit: replaced(['"content_filter"', '"length"']),
    ending: 'eof',
    labels: ['write_file — not run (the request was cut short)'],
    notice: 'Not run: write_file.',
  },
  filter: {
    capture: file,
    edit: whole,
    ending: 'eof',
    labels: ['write_file — not run (stopped by a content filter)'],
    notice: 'Not run: write_file.',
  },
  malformed: {
    capture: 'openai-chat/one-damaged-of-two',
    edit: whole,
    ending: 'done',
    labels: ['send_payment — not run (another call had a problem)', 'set_tags — not run (the request was unreadable)'],
    notice: 'Not run: send_payment, set_tags.',
  },
  schema: {
    capture: file,
    edit: replaced(['"content_filter"', '"tool_calls"'], ['Step one"', 'Step one\\"}"']),
    ending: 'done',
    required: 'mode',
    labels: ['write_file — not run (the details were not valid)'],
    notice: 'Not run: write_file.',
  },
  'provider error': {
    capture: 'openai-chat/gateway-error-chunk',
    edit: whole,
    ending: 'eof',
    labels: ['run_command — not run (the service reported an error)'],
    notice: 'Not run: run_command.',
  },
  'never finished': {
    capture: 'openai-chat/eof-after-complete-json',
    edit: whole,
    ending: 'eof',
    labels: ['send_payment — not run (the response ended early)'],
    notice: 'Not run: send_payment.',
  },
  cancel: {
    capture: file,
    edit: insideFile,
    ending: 'user-cancel',
    labels: ['write_file — cancelled'],
    notice: 'Not run: write_file.',
  },
  reload: {
    capture: file,
    edit: insideFile,
    ending: 'reload',
    labels: ['write_file — not run (the page was closed)'],
    notice: 'Not run: write_file.',
  },
  'end after preamble': {
    capture: file,
    edit: (text) => upTo('I will write')(replaced(['"content":""', '"content":"I will write that file."'])(text)),
    ending: 'error',
    labels: [],
    notice: 'The reply stopped here (connection lost). No tool was run.',
  },
} as const satisfies Record<Fault, FaultCase>

const tasks = 'openai-responses/incomplete-max-output'
const insideTasks = upTo('"sequence_number":7')
const completed = replaced(
  ['"response.incomplete"', '"response.completed"'],
  ['event: response.incomplete', 'event: response.completed'],
  ['"status":"incomplete"', '"status":"completed"'],
  ['{"reason":"max_output_tokens"}', 'null'],
)

const openaiResponses = {
  drop: {
    capture: tasks,
    edit: insideTasks,
    ending: 'error',
    labels: ['add_task — not run (connection lost)', 'add_task — not run (connection lost)'],
    notice: 'Not run: add_task, add_task.',
  },
  'clean end': {
    capture: tasks,
    edit: insideTasks,
    ending: 'eof',
    labels: ['add_task — not run (the response ended early)', 'add_task — not run (the response ended early)'],
    notice: 'Not run: add_task, add_task.',
  },
  stall: {
    capture: tasks,
    edit: insideTasks,
    ending: 'stall',
    labels: ['add_task — not run (connection lost)', 'add_task — not run (connection lost)'],
    notice: 'Not run: add_task, add_task.',
  },
  ceiling: {
    capture: tasks,
    edit: whole,
    ending: 'done',
    labels: ['add_task — not run (the request was cut short)', 'add_task — not run (the request was cut short)'],
    notice: 'Not run: add_task, add_task.',
  },
  filter: {
    capture: tasks,
    edit: replaced(['max_output_tokens', 'content_filter']),
    ending: 'done',
    labels: ['add_task — not run (stopped by a content filter)', 'add_task — not run (stopped by a content filter)'],
    notice: 'Not run: add_task, add_task.',
  },
  malformed: {
    capture: tasks,
    edit: completed,
    ending: 'done',
    labels: ['add_task — not run (another call had a problem)', 'add_task — not run (the request was unreadable)'],
    notice: 'Not run: add_task, add_task.',
  },
  schema: {
    capture: tasks,
    edit: (text) => replaced(['Send agen"', 'Send agenda\\"}"'])(completed(text)),
    ending: 'done',
    required: 'due',
    labels: ['add_task — not run (the details were not valid)', 'add_task — not run (the details were not valid)'],
    notice: 'Not run: add_task, add_task.',
  },
  'provider error': {
    capture: tasks,
    edit: (text) =>
      `${insideTasks(text)}event: error\ndata: {"type":"error","code":"server_error","message":"MARKER","sequence_number":8}\n\n`,
    ending: 'eof',
    labels: [
      'add_task — not run (the service reported an error)',
      'add_task — not run (the service reported an error)',
    ],
    notice: 'Not run: add_task, add_task.',
  },
  'never finished': {
    capture: tasks,
    edit: (text) =>
      `${insideTasks(text)}event: response.completed\ndata: {"type":"response.completed","response":{"id":"resp_1","object":"response","status":"completed","output":[{"type":"function_call","id":"fc_1","call_id":"call_x1","name":"add_task","arguments":"{\\"title\\":\\"Book room\\"}","status":"completed"}],"error":null,"incomplete_details":null},"sequence_number":8}\n\n`,
    ending: 'done',
    labels: ['add_task — not run (another call had a problem)', 'add_task — not run (the response ended early)'],
    notice: 'Not run: add_task, add_task.',
  },
  cancel: {
    capture: tasks,
    edit: insideTasks,
    ending: 'user-cancel',
    labels: ['add_task — cancelled', 'add_task — cancelled'],
    notice: 'Not run: add_task, add_task.',
  },
  reload: {
    capture: tasks,
    edit: insideTasks,
    ending: 'reload',
    labels: ['add_task — not run (the page was closed)', 'add_task — not run (the page was closed)'],
    notice: 'Not run: add_task, add_task.',
  },
  'end after preamble': {
    capture: tasks,
    edit: (text) =>
      `${upTo('"sequence_number":0')(text)}event: response.output_text.delta\ndata: {"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":"I will add those tasks.","sequence_number":1}\n\n`,
    ending: 'error',
    labels: [],
    notice: 'The reply stopped here (connection lost). No tool was run.',
  },
} as const satisfies Record<Fault, FaultCase>

/** Each fault on each wire. */
export const FAULTS = { anthropic, 'openai-chat': openaiChat, 'openai-responses': openaiResponses } as const
