import type { StreamEvent } from '../../src/index.ts'

/** A reply of text, two calls side by side, more text, and a third call that is cut. */
export const LONG_REPLY: readonly StreamEvent[] = [
  { type: 'text-fragment', text: 'The disk of db-3 is at 97 %. I will file a ticket and tell the team.' },
  { type: 'call-announced', key: 'a', callId: 'call_1', name: 'create_ticket' },
  { type: 'call-fragment', key: 'a', text: '{"title":"Disk full on db-3"}' },
  { type: 'call-finished', key: 'a' },
  { type: 'call-announced', key: 'b', callId: 'call_2', name: 'page_on_call' },
  { type: 'call-fragment', key: 'b', text: '{"who":"ops"}' },
  { type: 'call-finished', key: 'b' },
  { type: 'message-ended', reason: 'natural', finishesOpenCalls: false },
  { type: 'call-returned', key: 'a', ok: true },
  { type: 'call-returned', key: 'b', ok: false },
  { type: 'message-started' },
  { type: 'text-fragment', text: 'The ticket is filed, but nobody was paged. I will write a mail instead.' },
  { type: 'call-announced', key: 'c', callId: 'call_3', name: 'send_mail' },
  { type: 'call-fragment', key: 'c', text: '{"to":"ops@example.com","subject":"Disk full on db-3","body":"Dear coll' },
]

/** The connection is lost. */
export const LOST: StreamEvent = {
  type: 'stream-ended',
  ending: { type: 'lost', how: 'connection-lost', speaker: 'nobody' },
}
