import { parseArgs } from 'node:util'

/** What one soak does. */
export interface SoakOptions {
  /** Plans are repeated, with other seeds, until so much time is over; 0 runs each once. */
  readonly minutes: number
  /** How often the fault of a plan happens in one run. */
  readonly rounds: number
  /** Only plans whose name contains this text. */
  readonly only: string
}

export const USAGE = `usage: npm run soak -- [--minutes N] [--rounds N] [--only TEXT]

  --minutes   repeat all plans, with other seeds, until so much time is over (default 0: each once)
  --rounds    faults in one run of a plan (default 20)
  --only      only plans whose name contains TEXT, e.g. "kill", "postgres", "kill -9 on sqlite"

SVC_TEST_SEED repeats the choices of an earlier soak; SVC_TEST_DATABASE_URL names a PostgreSQL server.`

/** Reads the command line. Throws TypeError for what is none of it. */
export function readOptions(args: readonly string[]): SoakOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '0' },
      rounds: { type: 'string', default: '20' },
      only: { type: 'string', default: '' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return 'help'
  const minutes = Number(values.minutes)
  const rounds = Number(values.rounds)
  if (!(minutes >= 0)) throw new TypeError(`--minutes takes a number from 0, got ${values.minutes}`)
  if (!(Number.isInteger(rounds) && rounds > 0))
    throw new TypeError(`--rounds takes a whole number above 0, got ${values.rounds}`)
  return { minutes, rounds, only: values.only }
}
