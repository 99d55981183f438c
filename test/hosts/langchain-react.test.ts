import { says, ticket } from './common.ts'
import { testHost } from './matrix.ts'

const reconnects = 'the hook takes a stream that just ends for a lost one, and comes back in vain'
const lost = { why: reconnects, ends: { server: ticket('may have run (connection lost)') } }
const refused = 'the wire does not tell arguments that a node refused from a tool that threw'

testHost('langchain-react', {
  // What the hook runs in the page it does not name by its call, and there are no branches to ask for another reply in.
  executors: ['server'],
  regenerates: false,
  differs: {
    'a clean end in mid arguments': lost,
    'the end right after the announcement': lost,
    'a promise, and an end with nothing announced': {
      why: reconnects,
      ends: { server: says([], { notice: 'The reply stopped here (connection lost).' }) },
    },
    'malformed JSON': {
      why: 'LangChain hands over what it could not read as well',
      ends: { server: ticket('may have run (no result received)') },
    },
    'details that do not fit': { why: refused, ends: { server: ticket('may have run (an error was reported)') } },
    'two calls, one damaged': {
      why: refused,
      ends: { server: says(['create_ticket — done', 'send_payment — may have run (an error was reported)']) },
    },
    'an error of the service': {
      why: 'a run that failed proves nothing about its backend',
      ends: { server: ticket('may have run (the service reported an error)') },
    },
    'only the browser’s link is lost': {
      why: 'the hook takes it up again by itself, from the beginning',
      ends: { server: ticket('done') },
    },
    'the same, then the reply is taken up again': null,
  },
  secondMessage: {
    why: 'a second run takes the place of the first, whose message has a notice of its own',
    labels: ['create_ticket — may have run (cancelled)', 'create_ticket — done'],
    notice: 'May have run: create_ticket.',
  },
})
