import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { ArgumentBuffer } from './argument-buffer.ts'
import { frozen } from './frozen.ts'
import type { Verdict } from './gate.ts'
import { issueDetail } from './issue-detail.ts'
import { isRecord, type Json, type JsonObject } from './json.ts'
import { type MessageEnd, stopVerdict } from './message-end.ts'
import type { CauseNo, FailureReason, Outcome } from './outcomes.ts'
import { isPromise } from './promise.ts'
import { isTooDeep, parseStrictly } from './strict-json.ts'
import type { ToolDeclaration } from './tools.ts'

/** What finalising needs to know of a call. */
export interface FinalizableCall {
  readonly id: string
  readonly name: string | null
  readonly encoding: 'json' | 'text'
  readonly buffer: ArgumentBuffer
  /** The wire's completion of this call; null while it is open. */
  readonly finished: 'complete' | 'incomplete' | 'rejected' | null
}

/**
 * Turns a call of an ended message into an outcome: the stop reason is read before the completion event is believed,
 * the text is parsed strictly and once, and a parsed object is given to the tool's schema.
 * A promise only where the schema is asynchronous; it never rejects.
 */
export function finalize(call: FinalizableCall, end: MessageEnd, tool?: ToolDeclaration): Outcome | Promise<Outcome> {
  const stopped = stopVerdict(end)
  if (stopped !== null) return failed(call, stopped.failure, stopped.cause, stopped.detail)
  if (call.finished === 'rejected') return failed(call, 'abandoned', 'invalid-arguments', 'rejected')
  if (call.finished === 'incomplete') return failed(call, 'truncated', 'truncated', 'incomplete-item')
  if (call.finished === null && !end.finishesOpenCalls)
    return failed(call, 'abandoned', 'ended-early', 'incomplete-at-finish')
  const { name } = call
  if (name === null) return failed(call, 'abandoned', 'unrecognised', 'nameless')
  const read = call.encoding === 'text' ? readText(call) : readArguments(call, end, tool)
  if (!read.ok) return read.outcome
  return validate(call, name, read.value, tool)
}

/** An outcome for a call of ours that failed for a reason of its own. */
export function failed(call: FinalizableCall, reason: FailureReason, cause: CauseNo, detail?: string): Outcome {
  return {
    type: 'failed',
    callId: call.id,
    name: call.name,
    reason,
    cause,
    detail,
    raw: rawOf(call.buffer),
  }
}

/** Whether what came of a call is one whole document: then somebody else may have acted on it. */
export function isWhole(call: FinalizableCall): boolean {
  const { buffer } = call
  if (buffer.value !== undefined) return !buffer.leafContinues
  return call.encoding === 'json' && !buffer.isEmpty && parseStrictly(buffer.text).ok
}

/** What a person is asked about: what passed the checks, or before them the document as it came, if it is a whole one. */
export function askedArguments({
  buffer,
  encoding,
  verdict,
}: FinalizableCall & { readonly verdict: Verdict | null }): Json {
  if (verdict?.passed === true) return verdict.outcome.args
  if (buffer.conflicting || buffer.leafContinues) return null
  if (buffer.value !== undefined) return buffer.value
  if (encoding === 'text') return buffer.text
  const parsed = parseStrictly(buffer.text)
  return parsed.ok ? parsed.value : null
}

type Read = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly outcome: Outcome }

function readArguments(call: FinalizableCall, end: MessageEnd, tool: ToolDeclaration | undefined): Read {
  const { buffer } = call
  if (buffer.conflicting) return { ok: false, outcome: failed(call, 'unparseable', 'unparseable', 'snapshot-differs') }
  if (buffer.isEmpty) {
    // An empty buffer means `{}` only on somebody's word; it never stands in for text that failed to parse.
    if (end.reason === 'natural' || tool?.noArguments === true) return { ok: true, value: {} }
    return { ok: false, outcome: failed(call, 'abandoned', 'ended-early', 'empty-arguments') }
  }
  // A whole value after fragments does not launder them: they must be one document themselves.
  if (buffer.text !== '' || buffer.value === undefined) {
    const parsed = parseStrictly(buffer.text)
    if (!parsed.ok) return { ok: false, outcome: failed(call, 'unparseable', 'unparseable', parsed.detail) }
    if (buffer.value === undefined) return parsed
  }
  if (buffer.leafContinues) return { ok: false, outcome: failed(call, 'unparseable', 'unparseable', 'not-json') }
  if (isTooDeep(buffer.value)) return { ok: false, outcome: failed(call, 'unparseable', 'unparseable', 'too-deep') }
  return { ok: true, value: buffer.value }
}

/** Free text is never parsed; a whole value must be a text that goes on from what came before it. */
function readText(call: FinalizableCall): Read {
  const { text, value = text, conflicting, leafContinues } = call.buffer
  if (!conflicting && !leafContinues && typeof value === 'string' && value.startsWith(text)) return { ok: true, value }
  return { ok: false, outcome: failed(call, 'unparseable', 'unparseable', 'snapshot-differs') }
}

function validate(
  call: FinalizableCall,
  name: string,
  args: Json,
  tool: ToolDeclaration | undefined,
): Outcome | Promise<Outcome> {
  const refused = (issues: readonly StandardSchemaV1.Issue[], detail: string): Outcome => ({
    type: 'schema-error',
    callId: call.id,
    name,
    args,
    issues,
    detail,
    raw: rawOf(call.buffer),
  })
  const judged = (result: StandardSchemaV1.Result<unknown>): Outcome => {
    if (result.issues !== undefined) return refused(result.issues, issueDetail(result.issues, args))
    return { type: 'dispatchable', callId: call.id, name, args: frozen(result.value as JsonObject | string) }
  }
  const threw = (): Outcome => refused([{ message: 'The validator threw.' }], 'other')

  if (call.encoding === 'json' && !isRecord(args))
    return refused([{ message: 'Arguments must be an object.' }], 'wrong-type')
  if (tool?.schema === undefined) return judged({ value: args })
  try {
    const result = tool.schema['~standard'].validate(args)
    return isPromise(result) ? Promise.resolve(result).then(judged).catch(threw) : judged(result)
  } catch {
    return threw()
  }
}

/** The text of the arguments as it came; JSON of it where the wire gives values. */
export function rawOf(buffer: ArgumentBuffer): string {
  if (buffer.text !== '' || buffer.value === undefined) return buffer.text
  // What is too deep for us may overflow the stack of `stringify`.
  return isTooDeep(buffer.value) ? '' : JSON.stringify(buffer.value)
}
