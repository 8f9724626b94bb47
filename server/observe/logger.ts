import { type DestinationStream, destination as fileDestination, type Logger, pino } from 'pino'

export interface LoggerOptions {
  readonly level: string
  /** Destination of the lines; stderr when absent. */
  readonly destination?: DestinationStream
}

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
      serializers: {
        err: shownError,
        headers: shownHeaders,
        ...Object.fromEntries([...SECRETS].map((name) => [name, () => CENSORED])),
      },
    },
    destination ?? fileDestination({ dest: 2, sync: false }),
  )
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
