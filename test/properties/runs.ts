import { vi } from 'vitest'

// A thousand histories take a second or two; a busy machine must not make a slow property look like a false one.
vi.setConfig({ testTimeout: 120_000 })

const factor = Number(process.env.PROPERTY_FACTOR ?? 1)

/** How often to try a property. `PROPERTY_FACTOR=50 npx vitest run --project isolated test/properties` searches longer. */
export function runs(usual: number): { readonly numRuns: number } {
  return { numRuns: Math.ceil(usual * factor) }
}
