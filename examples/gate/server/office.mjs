// What the tools do: nothing but be counted. Each session has an office of its own, so that two pages do not meet.
import { setTimeout as sleep } from 'node:timers/promises'

/** How long the export takes, in milliseconds; everything else takes a tenth of it. */
const LONG = 4_000

const answers = {
  export_report: 'october.pdf',
  delete_folder: 'Deleted.',
  book_room: 'Booked.',
  send_payment: 'Sent.',
  save_minutes: 'Saved.',
}

/** The links to the bank that drop at the first payment: after the bank has it, or before. */
const drops = { 'Lumen Energy': 'after', 'Harbour Homes': 'before' }

export function createOffice() {
  /** What was done, by idempotency key: doing it again by the same key is doing it once. */
  const done = new Map()
  const dropped = new Set()
  const asked = new Set()

  return {
    runs: () => [...done.values()],
    knows: (tool) => Object.hasOwn(answers, tool),
    /** The tool's answer; null if the link drops before it is given. */
    async run(tool, { args, key }) {
      await sleep(tool === 'export_report' ? LONG : LONG / 10)
      const drop = dropped.has(args.to) ? undefined : drops[args.to]
      if (drop !== 'before') done.set(key, { tool, args, key })
      if (drop === undefined) return answers[tool]
      dropped.add(args.to)
      return null
    },
    /** What the bank says became of a payment. Asked at once, it has not been through its books yet. */
    find(key) {
      const isFirst = !asked.has(key)
      asked.add(key)
      if (isFirst) return { ran: 'unknown' }
      return done.has(key) ? { ran: 'yes', ok: true } : { ran: 'no', cause: 'not-started' }
    },
  }
}
