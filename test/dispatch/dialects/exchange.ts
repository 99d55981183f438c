import type { Answer, Dialect, MadeCall } from '../../../src/dispatch/index.ts'

/** A call with an id of the wire, or with one that the kit minted. */
export function made(callId: string, args: MadeCall['args'], hasWireId = true): MadeCall {
  return { callId, hasWireId, name: 'send_mail', raw: JSON.stringify(args), args }
}

export function answerTo({ callId, hasWireId, name }: MadeCall, text: string, isError = false): Answer {
  return { callId, hasWireId, name, isError, text }
}

const first = made('call-1', { title: 'Tür' })
const second = made('call-2', {})

/** What a turn may have to say, by what it is. */
export const EXCHANGES = {
  'text alone': (dialect) => dialect.reply({ text: 'Good day.', calls: [], own: undefined }),
  'a call and its result': (dialect) => [
    ...dialect.reply({ text: '', calls: [first], own: undefined }),
    ...dialect.answers([answerTo(first, 'Sent.')]),
  ],
  'blank text before a call': (dialect) => [
    ...dialect.reply({ text: '\n\n', calls: [first], own: undefined }),
    ...dialect.answers([answerTo(first, 'Sent.')]),
  ],
  'text, two calls, a result and an error': (dialect) => [
    ...dialect.reply({ text: 'Sure.', calls: [first, second], own: undefined }),
    ...dialect.answers([answerTo(first, 'Sent.'), answerTo(second, 'It failed.', true)]),
  ],
  'a note after the user': (dialect) => dialect.note('Please reply again.'),
  'a note after a correction': (dialect) => [
    ...dialect.reply({ text: '', calls: [second], own: undefined }),
    ...dialect.answers([answerTo(second, 'Not valid.', true)]),
    ...dialect.note('Please reply again.'),
  ],
} satisfies Readonly<Record<string, <Message>(dialect: Dialect<Message>) => readonly Message[]>>
