import { testWire } from './suite.ts'
import { openaiChatWire } from './wires.ts'

testWire(openaiChatWire)
