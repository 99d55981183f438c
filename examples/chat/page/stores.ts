import { keepSnapshots } from '../../../src/dispatch/index.ts'
import { createToolCallStore, type ToolCallStore, type Tools } from '../../../src/index.ts'
import { fromJsonSchema } from '../../../src/json-schema/index.ts'
import { tools } from '../tools.mjs'
import type { Settings } from './choices.ts'
import { keepSnapshot, readKept } from './keep.ts'

type StoreSettings = Pick<Settings, 'executor' | 'idle'>

/** An application has one store. This page lets the user choose what a store is told at its creation. */
export interface Stores {
  for(settings: StoreSettings): ToolCallStore
}

/** @param created told of each store once, before anything is in it but what was kept */
export function createStores(created: (store: ToolCallStore) => void): Stores {
  const stores = new Map<string, ToolCallStore>()
  return {
    for(settings) {
      const key = `${settings.executor} ${settings.idle}`
      const known = stores.get(key)
      if (known !== undefined) return known
      const store = createStore(settings)
      stores.set(key, store)
      keepSnapshots(store, {
        load: () => readKept().snapshots[key],
        save: (snapshot) => keepSnapshot(key, snapshot),
      })
      created(store)
      return store
    },
  }
}

function createStore({ executor, idle }: StoreSettings): ToolCallStore {
  return createToolCallStore({
    tools: executor === 'page' ? localTools : serverTools,
    defaultExecutor: executor === 'page' ? 'local' : 'server',
    deadlines: { idle },
  })
}

const localTools = declare(({ parameters }) => ({ executor: 'local', ...fromJsonSchema(parameters) }))
const serverTools = declare(() => ({ executor: 'server' }))

function declare(tool: (declared: (typeof tools)[keyof typeof tools]) => Tools[string]): Tools {
  return Object.fromEntries(Object.entries(tools).map(([name, declared]) => [name, tool(declared)]))
}
