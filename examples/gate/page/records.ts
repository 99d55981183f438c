import { type CallRecord, type CallRecorder, createRecorder } from 'honest-tool-calls/record/index.ts'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Office } from './office.ts'

interface Line {
  readonly record: CallRecord
  readonly text: string
}

interface Shown {
  /** One for each call, in the order in which they settled. */
  readonly lines: readonly Line[]
  readonly figures: Readonly<Record<string, string>>
}

/** What the recorder writes, and what the server counts. */
export interface Records {
  readonly recorder: CallRecorder
  readonly shown: StoreApi<Shown>
  /** Reads the counters, and asks the server what it has done. */
  count(): Promise<void>
}

const WINDOW = 15 * 60_000

export function createRecords(office: Office): Records {
  const put = (record: CallRecord): void =>
    shown.setState(({ lines }) => ({
      lines: [...lines.filter((line) => line.record.id !== record.id), { record, text: lineOf(record) }],
    }))
  const recorder = createRecorder({ onRecord: put, onRevision: put })
  const shown = createStore<Shown>(() => ({ lines: [], figures: figuresOf(recorder) }))
  return {
    recorder,
    shown,
    async count() {
      const runs = await office.runs().catch(() => null)
      shown.setState({
        figures: { ...figuresOf(recorder), ...(runs === null ? {} : { 'runs on the server': String(runs.length) }) },
      })
    },
  }
}

function lineOf({ tool, outcome, ran, cause, detail, attempt, bytes, fragments, revision }: CallRecord): string {
  const facts = [
    `${tool} ${outcome}`,
    `ran: ${ran}`,
    detail === null ? cause : `${cause} (${detail})`,
    `attempt ${attempt}`,
    `${bytes} bytes in ${fragments} fragments`,
    ...(revision === 0 ? [] : [`revision ${revision}`]),
  ]
  return facts.join(' · ')
}

function figuresOf(recorder: CallRecorder): Shown['figures'] {
  const { announced, outcomes, contradictedLabels } = recorder.counters()
  const { ratio, lost, truncated, announced: lately } = recorder.ratio(WINDOW)
  const settled = outcomes.reduce((sum, { count }) => sum + count, 0)
  return {
    'announced calls': String(announced),
    'settled calls': String(settled),
    'lost of announced': ratio === null ? '–' : `${lost} of ${lately} (${Math.round(ratio * 100)} %)`,
    truncated: String(truncated),
    'labels taken back': String(contradictedLabels),
  }
}
