import { type ReactNode, useEffect, useId, useState } from 'react'
import { useStore } from 'zustand'
import type { Chat } from './chat.ts'
import { type Fault, faultGroups, type Settings, type Wire, wires } from './choices.ts'

type Providers = Partial<Record<Wire, string>>

/** What the next message meets. */
export function SettingsForm({ chat }: { readonly chat: Chat }): ReactNode {
  const { wire, source, fault, executor, calls, idle } = useStore(chat.state, (state) => state.settings)
  const providers = useProviders()
  const model = providers[wire]
  const real = model !== undefined && source === 'provider'
  const chooseWire = (chosen: Wire): void =>
    chat.choose({ wire: chosen, ...(providers[chosen] === undefined ? { source: 'scripted' } : {}) })
  const chooseSource = (chosen: Settings['source']): void =>
    chat.choose({ source: chosen, ...(chosen === 'provider' && isModelFault(fault) ? { fault: 'none' } : {}) })

  return (
    <section className="settings" aria-labelledby="settings-heading">
      <h2 id="settings-heading">The next reply</h2>
      <Select label="Wire" value={wire} choose={chooseWire}>
        {Object.entries(wires).map(([name, { label }]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </Select>
      {model !== undefined && (
        <Select label="Written by" value={source} choose={chooseSource}>
          <option value="scripted">a script</option>
          <option value="provider">{model}</option>
        </Select>
      )}
      <Select label="Fault" value={fault} choose={(chosen: Fault) => chat.choose({ fault: chosen })}>
        <option value="none">none</option>
        {Object.entries(faultGroups).map(([group, faults]) => (
          <optgroup key={group} label={group} disabled={real && group === 'At the model'}>
            {Object.entries(faults).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
      <Select
        label="Who runs the tool"
        value={executor}
        choose={(chosen: Settings['executor']) => chat.choose({ executor: chosen })}
      >
        <option value="page">this page</option>
        <option value="server">the server</option>
      </Select>
      {!real && (
        <Select
          label="Calls"
          value={String(calls)}
          choose={(chosen: string) => chat.choose({ calls: chosen === '2' ? 2 : 1 })}
        >
          <option value="1">create_ticket</option>
          <option value="2">create_ticket, send_payment</option>
        </Select>
      )}
      <Select
        label="Idle deadline"
        value={String(idle)}
        choose={(chosen: string) => chat.choose({ idle: chosen === '10000' ? 10_000 : 3_000 })}
      >
        <option value="3000">3 s</option>
        <option value="10000">10 s</option>
      </Select>
      <p className="hint">
        The idle deadline is how long a silence may last while arguments come. The kit’s default is 10 s.
      </p>
    </section>
  )
}

function isModelFault(fault: Fault): boolean {
  return Object.hasOwn(faultGroups['At the model'], fault)
}

interface SelectProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly choose: (value: Value) => void
  readonly children: ReactNode
}

function Select<Value extends string>({ label, value, choose, children }: SelectProps<Value>): ReactNode {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => choose(event.target.value as Value)}>
        {children}
      </select>
    </div>
  )
}

/** The real models this server has a key for. */
function useProviders(): Providers {
  const [providers, setProviders] = useState<Providers>({})
  useEffect(() => {
    const controller = new AbortController()
    fetch('/api/chat/providers', { signal: controller.signal })
      .then((response) => response.json())
      .then(setProviders)
      // Without an answer there is the script.
      .catch(() => {})
    return () => controller.abort()
  }, [])
  return providers
}
