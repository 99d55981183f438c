// The scripted model: what it replies is decided by what it was sent, as with a real one.
import { stories } from '../stories.mjs'

const LONG =
  'Everybody was there but Kim. We began with the budget for next year, which took longer than we had planned, because the figures for travel were missing. Then we spoke about the move in March'

/** By the user's last message: one reply after the other, each told the tool results that it answers. */
const scripts = new Map([
  [
    stories.export.message,
    [
      () => call('I’ll export the October report for you. ', 'export_report', { month: '2026-10', format: 'pdf' }),
      ([result]) => say(result.is_error ? 'The export did not work.' : 'The report is ready: october.pdf.'),
    ],
  ],
  [
    stories.folder.message,
    [
      () => call('I’ll delete the old drafts. ', 'delete_folder', { path: '/drafts/2024', files: 37 }),
      ([result]) =>
        say(result.is_error ? 'All right, the folder stays as it is.' : 'The folder and its 37 files are gone.'),
    ],
  ],
  [
    stories.room.message,
    [
      () => call('I’ll book a room for you. ', 'book_room', { room: 'Harbour', people: 'six', start: '3 pm' }),
      () => call('', 'book_room', { room: 'Harbour', people: 6, start: '15:00' }),
      () => say('Harbour is booked for six people at 15:00.'),
    ],
  ],
  [
    stories.flight.message,
    [
      () => call('I’ll move your flight to Friday. ', 'move_flight', { day: 'Friday', row: 12 }),
      () => call('', 'move_flight', { day: 'Friday', row: 35 }),
    ],
  ],
  [stories.bill.message, [() => payment('I’ll pay the electricity bill now. ', 'Lumen Energy', 84.2)]],
  [stories.rent.message, [() => payment('I’ll pay the rent now. ', 'Harbour Homes', 910)]],
  [
    stories.rent.again,
    [() => payment('I’ll make the payment again. ', 'Harbour Homes', 910), () => say('The rent is paid.')],
  ],
  [
    stories.minutes.message,
    [() => cut(call('I’ll write the minutes and save them. ', 'save_minutes', { title: 'Meeting', text: LONG }))],
  ],
  [
    stories.minutes.again,
    [
      () =>
        call('I’ll keep it brief. ', 'save_minutes', {
          title: 'Meeting',
          text: 'Budget agreed; the move is in March.',
        }),
      () => say('The minutes are saved.'),
    ],
  ],
])

/** The reply to a conversation. */
export function replyTo(messages) {
  const said = messages.findLastIndex(({ role, content }) => role === 'user' && typeof content === 'string')
  const script = scripts.get(messages[said]?.content) ?? []
  const step = messages.slice(said).filter(({ role }) => role === 'assistant').length
  const last = messages.at(-1)
  const results = Array.isArray(last.content) ? last.content : []
  return script[step]?.(results) ?? say('I am a script, and know nothing more to say to this.')
}

const say = (preamble) => ({ preamble, calls: [], ending: 'natural' })

function call(preamble, name, args) {
  return { preamble, calls: [{ name, arguments: JSON.stringify(args), finished: true }], ending: 'natural' }
}

function payment(preamble, to, amount) {
  return call(preamble, 'send_payment', { to, amount, currency: 'EUR' })
}

/** The token ceiling: the text stops within its last value, and its block is closed in good order all the same. */
function cut({ preamble, calls: [one] }) {
  return { preamble, calls: [{ ...one, arguments: one.arguments.slice(0, -2) }], ending: 'length' }
}
