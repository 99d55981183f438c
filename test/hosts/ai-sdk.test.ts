import { testHost } from './matrix.ts'

testHost('ai-sdk', {})
