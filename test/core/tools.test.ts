import { describe, expect, test } from 'vitest'
import { executorOf, type Registry, toolOf } from '../../src/core/tools.ts'

const registry: Registry = {
  tools: { create_ticket: { executor: 'local' }, open_editor: { executor: 'host' } },
  defaultExecutor: 'server',
}

test('who runs a tool is declared, never guessed', () => {
  expect(executorOf(registry, 'create_ticket')).toBe('local')
  expect(executorOf(registry, 'open_editor')).toBe('host')
  expect(executorOf(registry, 'export_report')).toBe('server')
  expect(executorOf({ tools: {}, defaultExecutor: 'local' }, 'export_report')).toBe('local')
})

test('a name that every object has is declared by nobody', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    expect(toolOf(registry, name)).toBeUndefined()
    expect(executorOf(registry, name)).toBe('server')
  }
})

describe('a call without a name may be any tool’s: whoever lets us claim least', () => {
  test('a host, where a tool is run by one', () => {
    expect(executorOf(registry, null)).toBe('host')
  })

  test('the server, where a tool or what is not declared is run there', () => {
    expect(executorOf({ tools: { create_ticket: { executor: 'local' } }, defaultExecutor: 'server' }, null)).toBe(
      'server',
    )
    expect(executorOf({ tools: { export_report: { executor: 'server' } }, defaultExecutor: 'local' }, null)).toBe(
      'server',
    )
  })

  test('this process, where nobody else could', () => {
    expect(executorOf({ tools: { create_ticket: { executor: 'local' } }, defaultExecutor: 'local' }, null)).toBe(
      'local',
    )
  })
})
