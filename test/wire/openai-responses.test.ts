import { testWire } from './suite.ts'
import { openaiResponsesWire } from './wires.ts'

testWire(openaiResponsesWire)
