import type { ToolDeclaration, Tools } from 'honest-tool-calls'
import { fromJsonSchema } from 'honest-tool-calls/json-schema/index.ts'
import type { Log } from '../../chat/page/log.ts'
import { tools as described } from '../tools.mjs'
import type { Office } from './office.ts'

/** What the page declares of its tools beside their schemas. */
export function declareTools(office: Office, log: Log): Tools {
  const more: Readonly<Record<string, Partial<ToolDeclaration>>> = {
    delete_folder: { needsApproval: true },
    send_payment: { query: office.find, idempotent: true, offersRetry: true },
    save_minutes: { offersRetry: true },
    move_flight: { offersRetry: true },
  }
  return Object.fromEntries(
    Object.entries(described).map(([name, { parameters }]) => [
      name,
      {
        executor: 'local',
        ...fromJsonSchema(parameters),
        async run(args, { idempotencyKey }) {
          log.add('tool', `${name} runs, key ${idempotencyKey.slice(0, 8)}…`)
          try {
            const answer = await office.run(name, args, idempotencyKey)
            log.add('tool', `${name} answered: ${JSON.stringify(answer)}`)
            return answer
          } catch (error) {
            log.add('tool', `${name} did not answer: the link dropped`)
            throw error
          }
        },
        ...more[name],
      } satisfies ToolDeclaration,
    ]),
  )
}
