import { createDispatcher, type Journal, recover } from 'honest-tool-calls/dispatch/index.ts'
import { file } from './services.ts'
import { store } from './store.ts'

const journal: Journal = {
  append: (entry) => file.append(JSON.stringify(entry)),
  read: async () => (await file.lines()).map((line) => JSON.parse(line)),
}

export const dispatcher = createDispatcher(store, { journal })

/** At the start of the next process: what became of the calls of the last one. */
export const reports = async () => recover((await journal.read?.()) ?? [], store.registry.tools)
