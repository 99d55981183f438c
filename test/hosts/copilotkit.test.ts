import { testHost } from './matrix.ts'

testHost('copilotkit', {})
