/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json }

/** Whether a value is an object with members: not `null`, not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
