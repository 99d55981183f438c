import { createToolCallStore } from 'honest-tool-calls/core.ts'
import { z } from 'zod'
import { bank, tickets } from './services.ts'

const payment = z.object({ to: z.string(), amount: z.number().positive(), iban: z.string() })

export const store = createToolCallStore({
  defaultExecutor: 'local',
  tools: {
    create_ticket: {
      executor: 'local',
      schema: z.object({ title: z.string(), priority: z.enum(['low', 'high']) }),
      run: ({ title, priority }, { signal }) => tickets.create(title, priority, signal),
    },
    send_payment: {
      executor: 'local',
      schema: payment,
      check: ({ amount }: z.infer<typeof payment>) => (amount > bank.limit ? 'That is above the limit.' : undefined),
      needsApproval: ({ amount }: z.infer<typeof payment>) => amount > 100,
      sensitive: ['iban'],
      timeout: 20_000,
      idempotent: true,
      run: (args, { idempotencyKey }) => bank.send(args, idempotencyKey),
      query: (idempotencyKey) => bank.find(idempotencyKey),
    },
  },
})
