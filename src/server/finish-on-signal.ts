import process from 'node:process'
import { Deadlines } from '../deadlines.ts'
import type { ToolCallStore } from '../store/create-store.ts'
import { type CloseOptions, closeGracefully, within } from './close-gracefully.ts'

export interface FinishOptions extends CloseOptions {
  /** Default `SIGTERM` and `SIGINT`. */
  readonly signals?: readonly NodeJS.Signals[]
  /**
   * Takes no more requests, and resolves when those that are there have been answered. The process waits for it as long as
   * for a tool. Default: nothing, and then the last bytes may not reach the clients.
   * @example close: () => new Promise((done) => server.close(done))
   */
  readonly close?: () => PromiseLike<unknown>
}

/**
 * For a Node process that is asked to stop: closes gracefully, and exits.
 * @example finishOnSignal(store, { dispatcher, relay, close: () => new Promise((done) => server.close(done)) })
 * @returns what takes it back
 */
export function finishOnSignal(store: ToolCallStore, options: FinishOptions = {}): () => void {
  const { signals = ['SIGTERM', 'SIGINT'], close, grace = 10_000 } = options
  const stopListening = (): void => {
    for (const signal of signals) process.off(signal, finish)
  }
  const finish = async (): Promise<void> => {
    // A second signal ends the process at once, as it would without this.
    stopListening()
    const answered = close?.()
    await closeGracefully(store, options)
    await within(new Deadlines(store.clock), grace, answered)
    process.exit()
  }
  for (const signal of signals) process.on(signal, finish)
  return stopListening
}
