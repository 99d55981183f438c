import { isRecord } from '../core/json.ts'
import type { Finding, ToolDeclaration } from '../core/tools.ts'

/** Asks a tool what became of a run. Whatever goes wrong with that: unknown. */
export async function ask(tool: ToolDeclaration | undefined, idempotencyKey: string): Promise<Finding> {
  try {
    const found: unknown = await tool?.query?.(idempotencyKey)
    if (!isRecord(found)) return { ran: 'unknown' }
    if (found['ran'] === 'yes') return { ran: 'yes', ok: found['ok'] === true }
    return found['ran'] === 'no' ? { ran: 'no' } : { ran: 'unknown' }
  } catch {
    return { ran: 'unknown' }
  }
}
