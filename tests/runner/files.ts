import { globSync } from 'node:fs'

/**
 * The test files below `root`, as sorted paths relative to it with `/`; with `filters` only those whose
 * path contains one of them.
 */
export function findTestFiles(root: string, filters: readonly string[]): string[] {
  return globSync('tests/**/*.test.ts', {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)))
    .sort()
}
