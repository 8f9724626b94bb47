import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'

export interface RunnerOptions {
  /** Parts of paths; a test file is run when its path contains one. Empty: all. */
  readonly filters: readonly string[]
  readonly checks: boolean
  readonly tests: boolean
  /** Whether to provide a PostgreSQL server. */
  readonly database: boolean
  readonly jobs: number
  /** Milliseconds a file may take. */
  readonly timeout: number
  /** Folder that holds `tests/`. */
  readonly root: string
}

export const USAGE = `Usage: node tests/run.js [options] [part of a test file's path]…

  --no-checks     only the test files
  --only-checks   only biome, tsc and knip
  --no-database   don't start PostgreSQL
  --jobs N        files at a time (default: processors and two)
  --timeout S     seconds a file may take (default: 420)
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
      'no-database': { type: 'boolean', default: false },
      // Two more than there are processors: many tests wait for a database, a clock or another process.
      jobs: { type: 'string', default: String(availableParallelism() + 2) },
      timeout: { type: 'string', default: '420' },
      root: { type: 'string', default: root },
    },
  })
  const onlyChecks = values['only-checks']
  return {
    filters: positionals,
    checks: onlyChecks || !(values['no-checks'] || positionals.length > 0),
    tests: !onlyChecks,
    database: !values['no-database'],
    jobs: positive('--jobs', values.jobs),
    timeout: positive('--timeout', values.timeout) * 1000,
    root: values.root,
  }
}

function positive(name: string, text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0) return number
  throw new TypeError(`${name} takes a whole number above 0, got ${JSON.stringify(text)}`)
}
