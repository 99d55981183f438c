import { testWire } from './suite.ts'
import { anthropicWire } from './wires.ts'

testWire(anthropicWire)
