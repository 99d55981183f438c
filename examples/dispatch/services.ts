import type { Finding } from 'honest-tool-calls/core.ts'

/** Stand-ins for what an application has. */
export declare const tickets: { create(title: string, priority: string, signal: AbortSignal): Promise<string> }

export declare const bank: {
  readonly limit: number
  send(payment: object, idempotencyKey: string): Promise<string>
  find(idempotencyKey: string): Promise<Finding>
}

export declare const file: { append(line: string): Promise<void>; lines(): Promise<readonly string[]> }
