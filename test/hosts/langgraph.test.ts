import { testHost } from './matrix.ts'

testHost('langgraph', {
  // A custom transport has no tools that the page runs, and no branches to ask for another reply in.
  executors: ['server'],
  regenerates: false,
})
