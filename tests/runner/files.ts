import { globSync } from 'node:fs'

const OF_BINARY = 'tests/binary'
const ONLY_DEEP = '.deep.test.ts'

/**
 * The test files below `root`, as sorted paths relative to it with `/`; with `filters` only those whose
 * path contains one of them. Those of the single binary need one that was built: they are only found by a
 * filter that begins with their folder. Those named `….deep.test.ts` take their time: a deep run or a filter
 * finds them.
 */
export function findTestFiles(root: string, filters: readonly string[], deep: boolean): string[] {
  return globSync('tests/**/*.test.ts', {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)))
    .filter(
      (path) => !path.startsWith(OF_BINARY) || filters.some((one) => one.startsWith(OF_BINARY)),
    )
    .filter((path) => deep || filters.length > 0 || !path.endsWith(ONLY_DEEP))
    .sort()
}
