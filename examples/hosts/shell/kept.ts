import { settings } from './settings.ts'

// What an application would keep in a database, so that a chat is still there after a reload.

const keyOf = (chat: string): string => `${settings.session} ${chat}`

/** What was kept of a chat before this page was loaded. */
export function kept<Value>(chat: string): Value | undefined {
  const text = sessionStorage.getItem(keyOf(chat))
  return text === null ? undefined : (JSON.parse(text) as Value)
}

export function keep(chat: string, value: unknown): void {
  sessionStorage.setItem(keyOf(chat), JSON.stringify(value))
}
