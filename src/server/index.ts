export { type CloseOptions, closeGracefully } from './close-gracefully.ts'
export { type FinishOptions, finishOnSignal } from './finish-on-signal.ts'
export { createRelay, type FollowedTurn, type Relay, type RelayOptions } from './relay.ts'
