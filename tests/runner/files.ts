import { globSync } from 'node:fs'

const OF_BINARY = 'tests/binary'

/**
 * The test files below `root`, as sorted paths relative to it with `/`; with `filters` only those whose
 * path contains one of them. Those of the single binary need one that was built: they are only found by a
 * filter that begins with their folder.
 */
export function findTestFiles(root: string, filters: readonly string[]): string[] {
  return globSync('tests/**/*.test.ts', {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)))
    .filter(
      (path) => !path.startsWith(OF_BINARY) || filters.some((one) => one.startsWith(OF_BINARY)),
    )
    .sort()
}

/** So many share a start, which costs 0.7 s, and few enough that a run does not end with one process at work. */
const FILES_PER_PROCESS = 6

/** Files that run in one process, neighbours: always the same ones, so that a run can be repeated. */
export function groupsOf(files: readonly string[], jobs: number): (readonly string[])[] {
  const size = Math.min(FILES_PER_PROCESS, Math.ceil(files.length / jobs))
  const groups: (readonly string[])[] = []
  for (let at = 0; at < files.length; at += size) groups.push(files.slice(at, at + size))
  return groups
}
