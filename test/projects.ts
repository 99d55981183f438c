/** Which folders under `test/` each project runs. A folder mirrors the one of `src/` it tests; '' is `test/` itself. */
export const testFolders = {
  unit: [
    'core',
    'adapters',
    'store',
    'record',
    'schemas',
    'cli',
    'json-schema',
    'mutants',
    'wire',
    'dispatch',
    'server',
  ],
  // These mock modules, change what a module sees of its process, or load the packages of host kits: a process for each file.
  isolated: ['', 'integrations', 'project', 'properties', 'testing'],
  dom: ['react'],
  browser: ['browser'],
  example: ['example'],
  hosts: ['hosts'],
} satisfies Record<string, readonly string[]>

/** The globs of a project. The files straight under `test/` are taken without its folders. */
export function testGlobs(project: keyof typeof testFolders): string[] {
  return testFolders[project].map((folder) => `test/${folder === '' ? '' : `${folder}/**/`}*.test.{ts,tsx}`)
}
