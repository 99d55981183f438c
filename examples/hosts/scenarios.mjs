// What a reply brings, in steps that know no wire. Each is played by `server/play.mjs` and written by the wire of the
// host. What the server runs, it runs in `starts` and `returns`. Steps `by: 'server'` are passed over where the page runs
// the tools: there the reply goes on in a request of its own.

const say = (text) => ({ do: 'say', text })
const announce = (call) => ({ do: 'announce', call })
const write = (call, text = call.text) => ({ do: 'write', call, text })
/** The wire's word that no more of a call comes; in the place of it the server's refusal, if the server would run it. */
const finish = (call) => ({ do: 'finish', call })
const ask = (call) => ({ do: 'ask', call })
const starts = (call) => ({ do: 'starts', call, by: 'server' })
const returns = (call) => ({ do: 'returns', call, by: 'server' })
/** The model's message ends, for a reason. */
const end = (reason) => ({ do: 'end', reason })
/** The reply ends as it should. */
const over = { do: 'over' }
/** The service reports an error. */
const error = { do: 'error' }
/** The connection breaks, and whoever answered stops. */
const drop = { do: 'drop' }
/** Only the browser's link breaks: the server goes on. */
const cut = { do: 'cut' }
/** The response ends in good order, without a last word. */
const close = { do: 'close' }
/** Time to see what has come so far: a browser may forget what it has not yet read when a connection breaks. */
const pause = { do: 'pause' }
/** Nothing more comes, and the connection stays open. */
const stall = { do: 'stall' }

const promise = say('I’ll create that ticket for you now.')
const done = [say('That is done.'), end('stop')]

/** A call by its place in the reply. `value` is what a server makes of its text: where the text is damaged, by repairing it. */
function call(place, tool, value, { text = JSON.stringify(value), refused = false } = {}) {
  return { place, tool, value, text, refused }
}

const ticket = call(1, 'create_ticket', { title: 'Checkout is down', priority: 'high' })
const half = ticket.text.slice(0, 25)
const rest = ticket.text.slice(25)
const payment = call(2, 'send_payment', { to: 'ACME', amount: 12 })
const unreadable = call(
  1,
  'create_ticket',
  { title: 'Checkout is down' },
  { text: '{"title":"Checkout is down",,', refused: true },
)
const unfit = call(1, 'create_ticket', { title: 'Checkout is down', priority: 12 }, { refused: true })
const unfitPayment = call(2, 'send_payment', { to: 'ACME', amount: 'twelve' }, { refused: true })
const refresh = call(1, 'refresh_list', {}, { text: '' })

const called = (...calls) => calls.flatMap((one) => [announce(one), write(one), finish(one)])
const ran = (...calls) => [...calls.map(starts), ...calls.map(returns)]
const goesOn = done.map((step) => ({ ...step, by: 'server' }))
const begun = [promise, announce(ticket), write(ticket, half), pause]

/** By name: what it is called in the page's list, and its steps. */
export const scenarios = {
  good: {
    title: 'A good call',
    steps: [promise, ...called(ticket), end('tool-calls'), ...ran(ticket), ...goesOn, over],
  },
  pair: {
    title: 'Two good calls',
    steps: [promise, ...called(ticket, payment), end('tool-calls'), ...ran(ticket, payment), ...goesOn, over],
  },
  'no-arguments': {
    title: 'A call without arguments',
    steps: [promise, announce(refresh), finish(refresh), end('tool-calls'), ...ran(refresh), ...goesOn, over],
  },
  drop: { title: 'The connection drops', steps: [...begun, drop] },
  'clean-end': { title: 'The response just ends', steps: [...begun, close] },
  stall: { title: 'Silence (press Stop, or reload)', steps: [...begun, stall] },
  length: {
    title: 'Token ceiling after a whole call',
    steps: [promise, ...called(ticket), end('length'), over],
  },
  'length-empty': {
    title: 'Token ceiling before any argument',
    steps: [promise, announce(ticket), end('length'), over],
  },
  filter: { title: 'Content filter', steps: [...begun, end('content-filter'), over] },
  unreadable: { title: 'Malformed JSON', steps: [promise, ...called(unreadable), end('tool-calls'), over] },
  unfit: { title: 'Details that do not fit', steps: [promise, ...called(unfit), end('tool-calls'), over] },
  error: { title: 'The service reports an error', steps: [...begun, error] },
  'never-finished': { title: 'A call that is never finished', steps: [...begun, end('stop'), over] },
  'announced-only': { title: 'The end right after the announcement', steps: [promise, announce(ticket), close] },
  'one-damaged': {
    title: 'Two calls, one damaged',
    steps: [promise, ...called(ticket, unfitPayment), end('tool-calls'), ...ran(ticket), over],
  },
  'drop-in-run': {
    title: 'The connection drops while the tool runs',
    steps: [promise, ...called(ticket), end('tool-calls'), starts(ticket), pause, drop],
  },
  'link-lost': {
    title: 'Only the browser’s link drops (press Resume)',
    steps: [...begun, cut, write(ticket, rest), finish(ticket), end('tool-calls'), ...ran(ticket), ...goesOn, over],
  },
  approval: {
    title: 'A person is asked',
    steps: [promise, ...called(ticket), end('tool-calls'), ask(ticket), over],
  },
  'approval-drop': {
    title: 'A person is asked, then the connection drops',
    steps: [promise, ...called(ticket), end('tool-calls'), ask(ticket), pause, drop],
  },
  promise: { title: 'A promise, and nothing after it', steps: [promise, close] },
}

/** What a reply goes on with once a person has answered, or a tool of the page has given its result. */
export const continuations = {
  granted: [...ran(ticket), ...done, over],
  refused: [say('All right, I did not.'), end('stop'), over],
  returned: [...done, over],
}
