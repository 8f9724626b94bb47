import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { testsReachedBy } from './reach.ts'

const READ = /\.(ts|js|cjs|yaml|md|json|css)$/

/** What has changed in a checkout since `since`, uncommitted and untracked files included, and the tests it reaches. */
export interface Changed {
  readonly files: readonly string[]
  readonly tests: readonly string[]
}

/** Throws Error with git's words when `root` is no checkout or `since` no revision. */
export function changedSince(root: string, since: string): Changed {
  const files = [
    ...git(root, 'diff', '--name-only', '--no-renames', since, '--'),
    ...git(root, 'ls-files', '--others', '--exclude-standard'),
  ]
  const sources = new Map(
    [...git(root, 'ls-files'), ...files]
      .filter((path) => READ.test(path) && existsSync(join(root, path)))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  )
  return { files, tests: testsReachedBy(files, sources) }
}

function git(root: string, ...args: readonly string[]): string[] {
  const output = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  return output.split('\n').filter((line) => line !== '')
}
