import { says, ticket } from './common.ts'
import { testHost } from './matrix.ts'

const unproved = (words: string) => ({
  why: 'a body that just ends, or an error in it, proves nothing about a backend',
  ends: { server: ticket(`may have run (${words})`) },
})

const refused = 'the wire does not tell arguments that a node refused from a tool that threw'

testHost('langgraph', {
  // A custom transport has no tools that the page runs, and no branches to ask for another reply in.
  executors: ['server'],
  regenerates: false,
  differs: {
    'a token ceiling over a whole call': unproved('the response was cut short'),
    'a token ceiling before any argument': unproved('the response was cut short'),
    'a content filter': unproved('stopped by a content filter'),
    'malformed JSON': unproved('no result received'),
    'a call that is never finished': unproved('no result received'),
    'an error of the service': unproved('the service reported an error'),
    'details that do not fit': { why: refused, ends: { server: ticket('may have run (an error was reported)') } },
    'two calls, one damaged': {
      why: refused,
      ends: { server: says(['create_ticket — done', 'send_payment — may have run (an error was reported)']) },
    },
  },
  secondMessage: {
    why: 'what a run did not bring to its end is not in the state of its thread, and so no longer on the page',
    labels: ['create_ticket — done'],
  },
})
