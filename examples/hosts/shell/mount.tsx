import { type ComponentType, Fragment, type ReactNode, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { settings } from './settings.ts'
import { SettingsForm } from './settings-form.tsx'
import './shell.css'

/**
 * Puts one chat on the page, or two that share a store.
 * @param Around what the host wants around all of its chats
 */
export function mount(
  Chat: ComponentType<{ readonly id: string }>,
  Around: ComponentType<{ readonly children: ReactNode }> = Fragment,
): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no #root')
  const chats = settings.second === '' ? ['first'] : ['first', 'second']
  createRoot(root).render(
    <StrictMode>
      <SettingsForm />
      <main>
        <Around>
          {chats.map((id) => (
            <section key={id} className="chat" data-chat={id} aria-label={`The ${id} chat`}>
              <Chat id={id} />
            </section>
          ))}
        </Around>
      </main>
      <Mounted />
    </StrictMode>,
  )
}

/** Says that all effects have run, twice as StrictMode has it: some hosts stop what was begun before. */
function Mounted(): null {
  useEffect(() => {
    document.documentElement.setAttribute('data-mounted', '')
  }, [])
  return null
}
