// What the scripted model says, and what goes wrong with it.
import { fragments } from './pieces.mjs'

const preambles = {
  1: "I'll create that ticket for you now.",
  2: "I'll create that ticket for you now, and then send the payment.",
}

const requests = [
  {
    name: 'create_ticket',
    args: {
      title: 'Nobody can sign in since the release of this morning',
      priority: 'high',
      description:
        'Since the release of 09:12 the sign-in page answers every attempt with “session expired”, in all browsers. ' +
        'Support has counted 41 reports in the first hour. Signing in works again once the cookies of the old domain are ' +
        'deleted by hand, which points to the change of the cookie’s domain. Please roll it back, or accept both domains ' +
        'until the old cookies have run out.',
      labels: ['sign-in', 'regression'],
    },
  },
  {
    name: 'send_payment',
    args: {
      to: 'Harbour Street Hosting Ltd',
      amount: 120.5,
      currency: 'EUR',
      reference:
        'Invoice 2026-1107, extra capacity for the week of the incident, approved by the operations desk; to be booked ' +
        'under incident costs and not under the monthly contract.',
    },
  },
]

/**
 * The script of one reply. `ending` is how the model stops: `natural`, `length`, `filter`, `error`, or `none`, where its
 * stream ends without a word. A call that is not `finished` never gets its completion.
 */
export function scriptOf({ calls, fault }) {
  const script = {
    preamble: preambles[calls],
    calls: requests
      .slice(0, calls)
      .map(({ name, args }) => ({ name, arguments: JSON.stringify(args), finished: true })),
    ending: 'natural',
  }
  return Object.hasOwn(modelFaults, fault) ? modelFaults[fault](script) : script
}

const modelFaults = {
  'token-ceiling': (script) => ({ ...changeLast(script, { cut: true }), ending: 'length' }),
  filter: (script) => ({ ...changeLast(script, { cut: true }), ending: 'filter' }),
  malformed: (script) => changeLast(script, { from: /"(high|EUR)"/, to: '$1' }),
  schema: (script) => changeLast(script, { from: /"(high|EUR)"/, to: '"P1"' }),
  'provider-error': (script) => ({ ...changeLast(script, { cut: true, finished: false }), ending: 'error' }),
  'never-finished': (script) => changeLast(script, { cut: true, finished: false }),
  preamble: (script) => ({ ...script, calls: [], ending: 'none' }),
}

/** How many pieces of arguments have come when a link breaks in the midst of the last call. */
export function midstOf(asked) {
  const counts = scriptOf(asked).calls.map((call) => fragments(call.arguments).length)
  return counts.slice(0, -1).reduce((sum, count) => sum + count, 0) + Math.ceil((counts.at(-1) ?? 0) * 0.4)
}

function changeLast(script, { cut = false, finished = true, from = '', to = '' }) {
  const last = script.calls.at(-1)
  const whole = last.arguments.replace(from, to)
  const changed = { ...last, arguments: cut ? whole.slice(0, whole.length * 0.6) : whole, finished }
  return { ...script, calls: [...script.calls.slice(0, -1), changed] }
}
