import { expect, test } from 'vitest'
import { testFolders } from '../projects.ts'
import { filesUnder } from './source-files.ts'

const folders = Object.values(testFolders).flat()

test('every test file lies in a folder that exactly one project runs', () => {
  const testFiles = filesUnder('test').filter((path) => /\.(test|spec)\.[cm]?[jt]sx?$/.test(path))
  const leftOut = testFiles.filter((path) => {
    const [, first = ''] = path.split('/')
    const folder = path.split('/').length === 2 ? '' : first
    return !/\.test\.tsx?$/.test(path) || folders.filter((name) => name === folder).length !== 1
  })
  expect(leftOut).toEqual([])
})

test('every story lies where Storybook looks, under the name it looks for', () => {
  const stories = ['src', 'test', 'stories', 'examples']
    .flatMap(filesUnder)
    .filter((path) => /\.stor(y|ies)\./.test(path))
  expect(stories.filter((path) => !/^stories\/.*\.stories\.tsx$/.test(path))).toEqual([])
})
