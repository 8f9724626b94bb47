import { type DestinationStream, destination as fileDestination, type Logger, pino } from 'pino'

export interface LoggerOptions {
  readonly level: string
  /** Where lines go; stderr when absent. */
  readonly destination?: DestinationStream
}

/** Headers and settings whose values are secrets: cut out by name wherever an object of them is logged. */
const SECRETS = ['authorization', 'x-api-key', 'cookie', 'set-cookie', 'password', 'secret', 'key']

/** A logger of JSON lines on stderr (stdout belongs to the command line) that shows no secret. */
export function createLogger({ level, destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: null,
      serializers: { err: shownError },
      redact: {
        paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`]),
        censor: '[redacted]',
      },
    },
    destination ?? fileDestination({ dest: 2, sync: false }),
  )
}

/** Drivers put rows and statements into properties of their errors; those stay out of the log. */
function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error ? error.code : undefined
  return { type: error.name, message: error.message, code, stack: error.stack }
}
