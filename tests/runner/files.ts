import { globSync } from 'node:fs'

/** What has to be built first: the single binary, the Desk. */
const BUILT = ['tests/binary', 'tests/browser']
const ONLY_DEEP = '.deep.test.ts'

/**
 * The test files below `root`, as sorted paths relative to it with `/`; with `filters` only those whose
 * path contains one of them. Those of the single binary and of the Desk need it to be built: they are only found by a
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
    .filter((path) => {
      const of = BUILT.find((folder) => path.startsWith(folder))
      return of === undefined || filters.some((one) => one.startsWith(of))
    })
    .filter((path) => deep || filters.length > 0 || !path.endsWith(ONLY_DEEP))
    .sort()
}
