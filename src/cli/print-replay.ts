import { ICONS, iconOf } from '../core/labels.ts'
import type { Settled } from '../core/outcomes.ts'
import type { ReplayedCall, ReplayResult } from '../testing/replay.ts'
import { oneLine } from './refusal.ts'

/** What is printed of a replay, one line each: the calls as the user reads them, then the turn's note. */
export function asText({ calls, notice }: ReplayResult): readonly string[] {
  const lines = calls.map((call) => `${iconFor(call)} ${oneLine(call.label)}`)
  return notice.length === 0 ? lines : [...lines, oneLine(notice.join(' '))]
}

/** The same for programs: an object per call. */
export function asJson({ calls }: ReplayResult): readonly string[] {
  return calls.map((call) => JSON.stringify(call).replace(UNSAFE, escaped))
}

// What JSON lets through and a terminal may act on, or misread: DEL, C1 controls, line separators, bidi controls.
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function iconFor({ ran, cause }: ReplayedCall): string {
  return ran === null || cause === null ? '…' : ICONS[iconOf({ ran, cause } as Settled)]
}
