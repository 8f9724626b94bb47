import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'

export interface RunnerOptions {
  /** Parts of paths; a test file is run when its path contains one. Empty: all. */
  readonly filters: readonly string[]
  readonly checks: boolean
  readonly tests: boolean
  /** Whether to explore: fresh seeds, all rounds, both databases everywhere, what only deep runs do. */
  readonly deep: boolean
  /** Revision since which what has changed decides which test files are run. */
  readonly since: string | undefined
  /** Whether to provide a PostgreSQL server. */
  readonly database: boolean
  readonly jobs: number
  /** Milliseconds a file may take. */
  readonly timeout: number
  /** Folder that holds `tests/`. */
  readonly root: string
}

/** Seconds after which a test file is killed. */
export const FILE_SECONDS = 420
const DEEP_SECONDS = 3600

export const USAGE = `Usage: node tests/run.js [options] [part of a test file's path]…

  --no-checks     only the test files
  --only-checks   only biome, tsc and knip
  --changed       only the test files that uncommitted changes can reach, and the checks
  --since REV     the same for all that has changed since a revision
  --deep          explore: fresh seeds, five times the rounds, PostgreSQL for every story, mutation, soak
  --no-database   don't start PostgreSQL
  --jobs N        files at a time (default: processors and two)
  --timeout S     seconds a file may take (default: ${FILE_SECONDS}; deep: ${DEEP_SECONDS})
  --root DIR      project to test (default: this one)

Naming test files leaves the checks out. SVC_TEST_DATABASE_URL=postgres://… uses a server of yours,
whose user may create databases.`

/** Reads the command line. Throws TypeError with what is wrong about it. */
export function readOptions(args: readonly string[], root: string): RunnerOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'no-checks': { type: 'boolean', default: false },
      'only-checks': { type: 'boolean', default: false },
      changed: { type: 'boolean', default: false },
      since: { type: 'string' },
      deep: { type: 'boolean', default: false },
      'no-database': { type: 'boolean', default: false },
      // Two more than there are processors: many tests wait for a database, a clock or another process.
      jobs: { type: 'string', default: String(availableParallelism() + 2) },
      timeout: { type: 'string' },
      root: { type: 'string', default: root },
    },
  })
  const onlyChecks = values['only-checks']
  const { deep, timeout = String(deep ? DEEP_SECONDS : FILE_SECONDS) } = values
  return {
    filters: positionals,
    checks: onlyChecks || !(values['no-checks'] || positionals.length > 0),
    tests: !onlyChecks,
    deep,
    since: values.since ?? (values.changed ? 'HEAD' : undefined),
    database: !values['no-database'],
    jobs: positive('--jobs', values.jobs),
    timeout: positive('--timeout', timeout) * 1000,
    root: values.root,
  }
}

function positive(name: string, text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0) return number
  throw new TypeError(`${name} takes a whole number above 0, got ${JSON.stringify(text)}`)
}
