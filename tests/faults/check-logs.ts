import * as assert from 'uvu/assert'

/** A line of a server's log: the number of its level, and what else it says. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly level?: number }

/** Levels of pino from which on something went wrong that nobody caused from outside. */
const ERROR = 50

/** The lines of a log that are JSON; the last one of a killed process may be cut off. */
export function linesOf(stderr: string): readonly LogLine[] {
  return stderr.split('\n').flatMap((line): LogLine[] => {
    if (!line.startsWith('{') || !line.endsWith('}')) return []
    return [JSON.parse(line) as LogLine]
  })
}

/** A fault from outside is no error of the process: it logs none, and says nothing beside its log. */
export function checkLogs(stderr: string): void {
  assert.equal(
    linesOf(stderr).filter(({ level = 0 }) => level >= ERROR),
    [],
  )
}
