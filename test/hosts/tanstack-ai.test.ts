import { says, ticket } from './common.ts'
import { testHost } from './matrix.ts'

const refused = {
  why: 'the wire does not tell arguments that the server refused from a tool that threw',
  ends: { server: ticket('may have run (an error was reported)') },
}

testHost('tanstack-ai', {
  goesOn: true,
  differs: {
    'a token ceiling over a whole call': {
      why: 'the chat client goes on with the reply by itself, which ends well then',
      ends: { 'page-without-gate': ticket('done', { runs: 1 }) },
    },
    'malformed JSON': refused,
    'details that do not fit': refused,
    'two calls, one damaged': {
      why: refused.why,
      ends: { server: says(['create_ticket — done', 'send_payment — may have run (an error was reported)']) },
    },
    'an error of the service': {
      why: 'who relays the error on this wire need not be the one who runs the tools',
      ends: { server: ticket('may have run (the service reported an error)') },
    },
    'the stream dies while the tool runs': {
      why: 'the chat client goes on with the reply by itself, which ends well then',
      ends: { 'page-without-gate': ticket('done', { runs: 1 }) },
    },
    'the same, then the reply is taken up again': {
      why: 'its messages are fetched again, but the reply itself did stop',
      ends: { server: ticket('done', { notice: 'The reply stopped here (connection lost).' }) },
    },
  },
  secondMessage: {
    why: 'the page has the second message interrupt the first reply',
    labels: ['create_ticket — may have run (cancelled)', 'create_ticket — done'],
  },
})
