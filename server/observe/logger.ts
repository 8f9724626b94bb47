import {
  type DestinationStream,
  destination as fileDestination,
  type Logger,
  type LoggerOptions as LoggerOptionsOfPino,
  pino,
} from 'pino'
import { troubleOf } from '../../engine/storage/database/write-trouble.ts'

export interface LoggerOptions {
  readonly level: string
  /** Destination of the lines; stderr when absent. */
  readonly destination?: DestinationStream
}

type LogHook = NonNullable<NonNullable<LoggerOptionsOfPino['hooks']>['logMethod']>

/** Headers and settings whose values are secrets: cut out by name, at the top of a line and in `headers`. */
const SECRETS = new Set([
  'authorization',
  'x-api-key',
  'cookie',
  'set-cookie',
  'password',
  'secret',
  'key',
])

const CENSORED = '[redacted]'

/**
 * A logger of JSON lines on stderr (stdout belongs to the command line) that shows no secret. Names are
 * looked up as serializers, which costs a line without secrets nothing; pino's `redact` copies every line.
 */
export function createLogger({ level, destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: null,
      hooks: { logMethod: seldomOfTrouble() },
      serializers: {
        err: shownError,
        headers: shownHeaders,
        ...Object.fromEntries([...SECRETS].map((name) => [name, () => CENSORED])),
      },
    },
    destination ?? fileDestination({ dest: 2, sync: false }),
  )
}

/** Time for which no more lines of the same trouble are written, in ms. */
const QUIET_MS = 1_000

/**
 * Writes one line a second of a disk that cannot be written to, whoever finds it out: each request, delivery and job
 * does, and a log that grows by all of them fills what room there is. `others` counts the lines that were left out.
 */
function seldomOfTrouble(): LogHook {
  let quietUntil = 0
  let others = 0
  return function logMethod(args, method) {
    const [facts] = args as readonly unknown[]
    if (typeof facts !== 'object' || facts === null || !('err' in facts) || !troubleOf(facts.err)) {
      method.apply(this, args)
      return
    }
    const now = performance.now()
    if (now < quietUntil) {
      others += 1
      return
    }
    quietUntil = now + QUIET_MS
    const told = others > 0 ? { ...facts, others } : facts
    others = 0
    method.apply(this, [told, ...args.slice(1)] as Parameters<LogHook>[0])
  }
}

function shownHeaders(headers: unknown): unknown {
  if (typeof headers !== 'object' || headers === null) return CENSORED
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRETS.has(name.toLowerCase()) ? CENSORED : value,
    ]),
  )
}

/** Drivers put rows and statements into properties of their errors; those stay out of the log. */
function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error ? error.code : undefined
  return { type: error.name, message: error.message, code, stack: error.stack }
}
