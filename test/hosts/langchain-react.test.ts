import { says, ticket } from './common.ts'
import { testHost } from './matrix.ts'

testHost('langchain-react', {
  executors: ['server'],
  regenerates: false,
  differs: {},
})
