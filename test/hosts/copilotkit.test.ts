import { says, ticket } from './common.ts'
import { testHost } from './matrix.ts'

const noReason = 'the wire has no reason for the end of a message: what is whole cannot be told from a good call'
const relayed = 'who relays the error on this wire need not be the one who runs the tools'
const refused = 'the wire does not tell arguments that the server refused from a tool that threw'
const dispatcher = 'the host could not read it either, and says so; the kit believes it'
const runsAnyway = 'the host runs it with what there is, here {}, and goes on with the reply, which ends well then'

testHost('copilotkit', {
  throws: 'network error',
  goesOn: true,
  repeatedIds: { why: 'the host takes an announcement with an id that it has for the call that it has', labels: null },
  differs: {
    'a clean end in mid arguments': {
      why: dispatcher,
      ends: {
        'page-without-gate': ticket('not run (the request was unreadable)', {
          notice: 'Not run: create_ticket. The reply stopped here (it ended early).',
        }),
      },
    },
    'the end right after the announcement': {
      why: runsAnyway,
      ends: { 'page-without-gate': ticket('done', { runs: 1 }) },
    },
    'a stop by the user': {
      why: 'the host runs nothing of a reply that was stopped',
      ends: { 'page-without-gate': ticket('cancelled') },
    },
    'a reload in mid arguments': {
      why: 'what is kept of a call does not tell one that came to its end from one that did not',
      ends: { page: ticket('may have run (the page was closed)', { notice: null }) },
    },
    'a token ceiling over a whole call': {
      why: noReason,
      ends: {
        page: ticket('done', { runs: 1 }),
        'page-without-gate': ticket('done', { runs: 1 }),
        server: ticket('may have run (no result received)'),
      },
    },
    'a token ceiling before any argument': {
      why: `${noReason}; ${runsAnyway}`,
      ends: {
        page: ticket('not run (the response ended early)'),
        'page-without-gate': ticket('done', { runs: 1 }),
        server: ticket('may have run (no result received)'),
      },
    },
    'a content filter': {
      why: 'on this wire it is an error like any other',
      ends: {
        page: ticket('not run (the service reported an error)'),
        'page-without-gate': ticket('not run (the request was unreadable)', {
          notice: 'Not run: create_ticket. The reply stopped here (the service reported an error).',
        }),
        server: ticket('may have run (the service reported an error)'),
      },
    },
    'malformed JSON': {
      why: `${dispatcher}; ${refused}`,
      ends: {
        'page-without-gate': ticket('not run (the request was unreadable)'),
        server: ticket('may have run (an error was reported)'),
      },
    },
    'details that do not fit': { why: refused, ends: { server: ticket('may have run (an error was reported)') } },
    'two calls, one damaged': {
      why: refused,
      ends: { server: says(['create_ticket — done', 'send_payment — may have run (an error was reported)']) },
    },
    'an error of the service': {
      why: `${dispatcher}; ${relayed}`,
      ends: {
        'page-without-gate': ticket('not run (the request was unreadable)', {
          notice: 'Not run: create_ticket. The reply stopped here (the service reported an error).',
        }),
        server: ticket('may have run (the service reported an error)'),
      },
    },
    'the stream dies while the tool runs': {
      why: 'the host runs its tools once the reply is over, and none of one that broke off',
      ends: { 'page-without-gate': ticket('may have run (connection lost)') },
    },
  },
  secondMessage: {
    why: 'the host keeps it until the first reply is over, and each reply has its notice behind it',
    notice: 'May have run: create_ticket.',
    waits: true,
  },
})
