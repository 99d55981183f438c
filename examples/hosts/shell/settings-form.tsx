import type { ReactNode } from 'react'
import { scenarios } from '../scenarios.mjs'
import { choices, settings } from './settings.ts'

const titles: Readonly<Record<string, string>> = {
  '': 'none',
  page: 'this page, behind the gate',
  'page-without-gate': 'this page, without the gate',
  server: 'the server',
  short: 'a second',
  default: 'as by default',
}
const names = Object.keys(scenarios)

/** What the next page meets; a choice loads it. */
export function SettingsForm(): ReactNode {
  return (
    <form className="settings" method="get">
      <Select name="scenario" label="The reply" values={names} />
      <Select name="executor" label="Tools are run by" values={choices.executor} />
      <Select name="deadlines" label="Silence may last" values={choices.deadlines} />
      <Select name="second" label="A second chat beside it" values={['', ...names]} />
    </form>
  )
}

interface SelectProps {
  readonly name: 'scenario' | 'executor' | 'deadlines' | 'second'
  readonly label: string
  readonly values: readonly string[]
}

function Select({ name, label, values }: SelectProps): ReactNode {
  const chosen = settings[name]
  // An address may name several scenarios, one for each reply.
  const all = values.includes(chosen) ? values : [...values, chosen]
  return (
    <label>
      {label}
      <select name={name} defaultValue={chosen} onChange={(event) => event.target.form?.requestSubmit()}>
        {all.map((value) => (
          <option key={value} value={value}>
            {titles[value] ?? (scenarios as Readonly<Record<string, { title: string }>>)[value]?.title ?? value}
          </option>
        ))}
      </select>
    </label>
  )
}
