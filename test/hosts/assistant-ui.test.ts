import { ticket } from './common.ts'
import { testHost } from './matrix.ts'

testHost('assistant-ui', {
  runsIdsOnce: {
    why: 'the runtime runs an id once in a thread, so that what the gate released the second time is not run',
    end: ticket('may have run (timed out)', { runs: 1 }),
  },
})
