import type { StopReason } from '../core/events.ts'

/**
 * The stop reasons of all providers, in whatever spelling, for wires that hand on what the model behind them said. An
 * adapter that knows its provider has a table of its own, checked against the types of that provider.
 * Only the natural ones must be the whole word: a word of tomorrow may be taken for a cut, but for no natural end.
 */
export const STOP_REASONS: readonly (readonly [StopReason, RegExp])[] = [
  ['natural', /^(stop|end_?turn|tool[_-]?(use|calls?)|function_call|stop_sequence|completed?|requires_action)$/i],
  ['length', /length|max_?\w*tokens|context_window|budget/i],
  ['filter', /filter|refusal|guardrail|safety|recitation|language|blocklist|prohibited|spii/i],
  ['malformed', /malformed|unexpected_tool|too_many_tool/i],
  ['paused', /pause|compaction|continuation/i],
  ['cancelled', /^cancelled$/],
  ['error', /^(error|failed|timeout|interrupted)$/i],
]
