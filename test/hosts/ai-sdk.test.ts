import { testHost } from './matrix.ts'

testHost('ai-sdk', {
  repeatedIds: {
    why: 'the host puts the result of a tool of the page into the first part with that id',
    labels: {
      page: [
        'create_ticket — done',
        'create_ticket — not run (stopped by a content filter)',
        'create_ticket — may have run (timed out)',
      ],
    },
  },
})
