/** @typedef {{ file: string, find: string, put: string }} Edit */
/** @typedef {Edit & { name: string, also?: { in?: string, find: string, put: string } }} Mutant */

/**
 * Mistakes at the heart of the kit, each made in one place of one source file: with any of them a label could lie, a
 * damaged call could run, or an end could be missed. `npm run mutants` makes them one by one and wants a test to fail.
 * @type {readonly Mutant[]}
 */
export const mutants = [
  {
    name: 'two causes swap their words',
    file: 'src/core/labels.ts',
    find: `'connection-lost': '{tool} — not run (connection lost)',
    'ended-early': '{tool} — not run (the response ended early)',`,
    put: `'ended-early': '{tool} — not run (connection lost)',
    'connection-lost': '{tool} — not run (the response ended early)',`,
  },
  {
    name: 'what may have run is offered to be tried again',
    file: 'src/core/offers.ts',
    find: 'return CHECK',
    put: 'return TRY_AGAIN',
  },
  {
    name: 'a broken connection is told as an early end',
    file: 'src/core/ending-cause.ts',
    find: `return { cause: 'connection-lost', detail: 'dropped' }`,
    put: `return { cause: 'ended-early', detail: 'dropped' }`,
  },
  {
    name: 'a damaged batch passes the gate',
    file: 'src/core/transition.ts',
    find: `if (batch === 'damaged') return inferred({ ran: 'no', cause: 'held-back' })`,
    put: '',
  },
  {
    name: 'a drop proves that a server did not run a call',
    file: 'src/core/ending.ts',
    find: `return ending.how === 'provider-error' && ending.speaker === 'executor'`,
    put: 'return true',
  },
  {
    name: 'a clean end proves that a server did not run a call, whoever speaks',
    file: 'src/core/ending.ts',
    find: `return ending.speaker === 'executor'
`,
    put: `return true
`,
  },
  {
    name: 'a stop that the client made up proves that a server did not run a call',
    file: 'src/core/ending.ts',
    find: 'return ending.acknowledged',
    put: 'return true',
  },
  {
    name: 'an error of a provider proves that it did not run a call',
    file: 'src/core/ending.ts',
    find: `end.reason === 'length' || end.reason === 'filter'`,
    put: `end.reason === 'length' || end.reason === 'filter' || end.reason === 'error'`,
  },
  {
    name: 'an end without a reason makes an empty buffer `{}`',
    file: 'src/core/finalize.ts',
    find: `if (end.reason === 'natural' || tool?.noArguments === true)`,
    put: `if (end.reason === 'natural' || end.reason === null || tool?.noArguments === true)`,
  },
  {
    name: 'a text snapshot is believed over fragments that differ',
    file: 'src/core/argument-buffer.ts',
    find: 'if (!text.startsWith(this.text))',
    put: 'if (false)',
  },
  {
    name: 'a whole value is believed over fragments that are no document',
    file: 'src/core/finalize.ts',
    find: `if (buffer.text !== '' || buffer.value === undefined) {`,
    put: 'if (buffer.value === undefined) {',
  },
  {
    name: 'a lower rank overrides a higher one',
    file: 'src/core/evidence.ts',
    find: 'if (rank < known.rank) return stays',
    put: '',
  },
  {
    name: 'a result that withdraws "not run" looks like any other',
    file: 'src/core/evidence.ts',
    find: 'settled: late(settled), rank }, contradicts: true }',
    put: 'settled, rank }, contradicts: true }',
  },
  {
    name: 'a ceiling settles no local call',
    file: 'src/core/message-end.ts',
    find: `if (end.reason === null || end.reason === 'natural') return null`,
    put: `if (end.reason === null || end.reason === 'natural' || end.reason === 'length') return null`,
  },
  {
    name: 'an unknown stop reason settles no local call',
    file: 'src/core/message-end.ts',
    find: `if (end.reason === null || end.reason === 'natural') return null`,
    put: `if (end.reason === null || end.reason === 'natural' || end.reason === 'unknown') return null`,
  },
  {
    name: 'a call may be taken twice, or before it is whole',
    file: 'src/core/transition.ts',
    find: `return free && !call.dispatched ? { phase: 'running' } : state`,
    put: `return { phase: 'running' }`,
  },
  {
    name: 'a call may be taken after its hand-off passed',
    file: 'src/core/transition.ts',
    find: `return call.executor === 'local' || input.source === 'host' ? { state, contradicts: false } : begunAfterAll(state)`,
    put: 'return begunAfterAll(state)',
  },
  {
    name: 'a call that nobody takes waits for ever',
    file: 'src/store/call-deadlines.ts',
    find: `return streaming ? null : 'handoff'`,
    put: 'return null',
  },
  {
    name: 'what a host runs beyond its stream runs for ever',
    file: 'src/store/call-deadlines.ts',
    find: `return streaming && call.executor !== 'local' ? null : 'run'`,
    put: `return call.executor !== 'local' ? null : 'run'`,
  },
  {
    name: 'pings count as events for ever',
    file: 'src/silence.ts',
    find: 'return Math.min(silent, Math.max(this.#since, this.#lastEvent) + staleEvents)',
    put: 'return silent',
  },
  {
    name: 'a timer that slept concludes at once',
    file: 'src/deadlines.ts',
    find: 'if (this.#clock.now() - due <= LATE) conclude()',
    put: 'if (true) conclude()',
  },
  {
    name: 'a settled view keeps its preview',
    file: 'src/core/view.ts',
    find: `return { ...base, phase: 'settled', settled: call.state.settled,`,
    put: `return { ...base, preview: previewerOf(call).rows(call.buffer.head, call.encoding, tool), phase: 'settled', settled: call.state.settled,`,
    also: {
      in: 'src/core/ledger.ts',
      find: `
    call.buffer.clear()`,
      put: '',
    },
  },
  {
    name: 'a number is shown while it still grows',
    file: 'src/core/preview.ts',
    find: 'const ALLOW = Allow.STR | Allow.OBJ | Allow.ARR',
    put: 'const ALLOW = Allow.STR | Allow.OBJ | Allow.ARR | Allow.NUM',
  },
  {
    name: 'a member is shown as final while it still grows',
    file: 'src/core/preview.ts',
    find: 'settled: key !== open',
    put: 'settled: true',
  },
  {
    name: 'a name can forge a label',
    file: 'src/core/view.ts',
    find: `name: tool === undefined ? plainName(call.name ?? '') : (call.name ?? ''),`,
    put: `name: call.name ?? '',`,
  },
  {
    name: 'a rule that breaks lets the call pass',
    file: 'src/core/gate.ts',
    find: `const threw = (): Verdict => rejected(outcome, 'The rule could not be checked.')`,
    put: 'const threw = (): Verdict => ({ passed: true, outcome })',
  },
  {
    name: 'a schema that breaks lets the call pass',
    file: 'src/core/finalize.ts',
    find: `const threw = (): Outcome => refused([{ message: 'The validator threw.' }], 'other')`,
    put: 'const threw = (): Outcome => judged({ value: args })',
  },
  {
    name: 'a refusal undoes what has begun',
    file: 'src/core/transition.ts',
    find: `if (!input.granted) return hasBegun(call) ? state : inferred(`,
    put: `if (!input.granted) return inferred(`,
    also: {
      in: 'src/core/ledger.ts',
      find: ` || call.dispatched || call.state.phase === 'settled') return false`,
      put: ') return false',
    },
  },
  {
    name: 'a call of ours that ran is "not run" after a reload',
    file: 'src/core/transition.ts',
    find: `inferred({ ran: call.dispatched ? 'unknown' : 'no', cause: 'reloaded' })`,
    put: `inferred({ ran: 'no', cause: 'reloaded' })`,
  },
  {
    name: 'a result that comes before its call is lost',
    file: 'src/core/held.ts',
    find: 'return named.length === 1 && named[0] === call',
    put: 'return false',
  },
  {
    name: 'an error that answers a rejected input counts as a run',
    file: 'src/core/transition.ts',
    find: `if (!ok && call.finished === 'rejected' && !call.dispatched) {`,
    put: 'if (false) {',
  },
  {
    name: 'withdrawn labels are not counted',
    file: 'src/store/context.ts',
    find: 'context.contradictedLabels++',
    put: '',
  },
  {
    name: 'a clean end of the bytes is complete, whatever is still open',
    file: 'src/store/stream.ts',
    find: `isWhole(entry, number)
      ? {`,
    put: `true
      ? {`,
  },
  {
    name: 'the last ending counts, not the first',
    file: 'src/store/stream.ts',
    find: 'if (open()) finish(how, resumable)',
    put: 'finish(how, resumable)',
  },
  {
    name: 'what settles waits for a frame that a hidden tab never gets',
    file: 'src/store/context.ts',
    find: `urgent ||= call.state.phase !== 'preparing'`,
    put: '',
  },
  {
    name: 'what the user declined is told as not run',
    file: 'src/core/notice.ts',
    find: `else if (call.settled.cause !== 'declined') notRun`,
    put: 'else notRun',
  },
  {
    name: 'a batch that nobody will correct waits for a correction',
    file: 'src/core/batch.ts',
    find: `if (!message.correctable) return 'damaged'`,
    put: '',
  },
  {
    name: 'a batch with an unreadable call is sent back',
    file: 'src/core/batch.ts',
    find: `if (unreadable || message.calls.some(failedUnjudged)) return 'damaged'`,
    put: `if (message.calls.some(failedUnjudged)) return 'damaged'`,
  },
  {
    name: 'a correction gets a block of its own',
    file: 'src/core/corrections.ts',
    find: 'call.block = corrected.block',
    put: '',
  },
  {
    name: 'what the next message did not correct stays "Preparing"',
    file: 'src/core/ledger.ts',
    find: `if (call.message !== message) this.#move(turn, call, { type: 'uncorrected', ending: null })`,
    put: '{}',
  },
  {
    name: 'a tool that needs approval is not asked about',
    file: 'src/core/ledger.ts',
    find: `if (message.batch === 'sound') for (const call of message.calls) this.#ask(call)`,
    put: '',
  },
  {
    name: 'a rule that breaks asks nobody',
    file: 'src/core/ledger.ts',
    find: `    // A rule that cannot be asked does not let anything pass.
    return true`,
    put: '    return false',
  },
  {
    name: 'what was approved can be changed before it runs',
    file: 'src/core/finalize.ts',
    find: 'frozen(result.value as JsonObject | string)',
    put: 'result.value as JsonObject | string',
  },
  {
    name: 'a tool begins before its dispatch is written down',
    file: 'src/dispatch/dispatcher.ts',
    find: 'await journal?.append({',
    put: 'void journal?.append({',
  },
  {
    name: 'a tool runs though the store said no',
    file: 'src/dispatch/dispatcher.ts',
    find: 'if (!store.dispatched(call)) return { call, settled: settledOf(call) }',
    put: 'store.dispatched(call)',
  },
  {
    name: 'a lost connection is a failure of the tool',
    file: 'src/dispatch/uncertain.ts',
    find: `return 'connection-lost'`,
    put: 'return null',
  },
  {
    name: 'a tool that is not idempotent is run again while nobody knows',
    file: 'src/dispatch/dispatcher.ts',
    find: `idempotent && view.settled.ran === 'unknown'`,
    put: `view.settled.ran === 'unknown'`,
  },
  {
    name: 'a correction that fails in the same way is asked for again',
    file: 'src/dispatch/correction-bound.ts',
    find: 'attempt >= most || again ||',
    put: 'attempt >= most ||',
  },
  {
    name: 'a generation is asked for again though tools have run',
    file: 'src/dispatch/run-turn.ts',
    find: `failure.recovery === 'regenerate' && runs.length === 0`,
    put: `failure.recovery === 'regenerate'`,
  },
  {
    name: 'a turn goes on where nobody knows whether a tool ran',
    file: 'src/dispatch/run-turn.ts',
    find: `uncertain !== undefined && options.onUncertain !== 'answer'`,
    put: 'false',
  },
]

/**
 * The replacements of a mutant, by file.
 * @param {Mutant} mutant
 * @returns {readonly Edit[]}
 */
export function editsOf({ file, find, put, also }) {
  return [
    { file, find, put },
    ...(also === undefined ? [] : [{ file: also.in ?? file, find: also.find, put: also.put }]),
  ]
}

/**
 * Makes a mistake in a source text. Throws where the text is not, or no longer, what the mutant was written for.
 * @param {string} code
 * @param {Edit} edit
 * @returns {string}
 */
export function mutate(code, { file, find, put }) {
  if (code.split(find).length !== 2) throw new Error(`${file} does not have this exactly once: ${find}`)
  return code.replace(find, () => put)
}
