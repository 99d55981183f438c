import { isRecord } from '../core/json.ts'
import { english } from '../core/labels.ts'
import type { CauseNo } from '../core/outcomes.ts'
import type { Finding, ToolDeclaration } from '../core/tools.ts'

/** Asks a tool what became of a run. Whatever goes wrong with that: unknown. */
export async function ask(tool: ToolDeclaration | undefined, idempotencyKey: string): Promise<Finding> {
  try {
    const found: unknown = await tool?.query?.(idempotencyKey)
    if (!isRecord(found)) return { ran: 'unknown' }
    if (found['ran'] === 'yes') return { ran: 'yes', ok: found['ok'] === true }
    if (found['ran'] !== 'no') return { ran: 'unknown' }
    const { cause } = found
    return isCauseNo(cause) ? { ran: 'no', cause } : { ran: 'no' }
  } catch {
    return { ran: 'unknown' }
  }
}

function isCauseNo(word: unknown): word is CauseNo {
  return typeof word === 'string' && Object.hasOwn(english.no, word)
}
