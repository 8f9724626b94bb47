import type { BrokenSource } from '../../server/import/incoming.ts'
import type { Listener } from '../../server/import/run.ts'
import type { Source } from '../../server/import/source.ts'
import { printJson } from '../terminal/output.ts'
import { startProgress } from '../terminal/progress.ts'
import type { ErrorFile } from './error-file.ts'
import { collectRowErrors, fieldMessage } from './row-errors.ts'

type Stopped = 'interrupted' | 'failed'

/** What an import did, told while it runs and when it has ended. */
export interface Report extends Listener {
  /** Notes a field that the file has and the workspace sets itself. */
  leftOut(field: string): void
  /** `stopped` says why not all of the file was taken. */
  end(broken: BrokenSource | undefined, stopped: Stopped | undefined): void
  hasFailed(): boolean
  /** The result on stdout. */
  print(asJson: boolean): void
}

export interface ReportOptions {
  /** File for refused records; none in a dry run: what is refused stays where it is. */
  readonly errors: ErrorFile | undefined
  readonly isDryRun: boolean
}

/** Tells stderr of bad rows as they come, the first ten of them, and keeps them in the error file. */
export function createReport(source: Source, { errors, isDryRun }: ReportOptions): Report {
  const counts = { created: 0, updated: 0, unchanged: 0, submitted: 0, failed: 0 }
  const left = new Set<string>()
  const bar = startProgress({ label: 'importing' })
  const rowErrors = collectRowErrors(source.name, (line) => {
    bar.clear()
    console.error(line)
  })
  let lastLine = 0
  let ending: string | undefined
  let cannotKeep: { readonly error: unknown; readonly line: number } | undefined

  return {
    leftOut: (field) => void left.add(field),
    written(_incoming, { change, isSubmitted }) {
      counts[change] += 1
      if (isSubmitted) counts.submitted += 1
    },
    refused(incoming, details) {
      counts.failed += 1
      rowErrors.add(
        details.map(({ field, message }) => ({ line: incoming.lineOf(field), field, message })),
      )
      // What is in flight is ended and counted first.
      if (cannotKeep) return
      try {
        errors?.add(incoming, details.map(fieldMessage).join('; '))
      } catch (error) {
        cannotKeep = { error, line: incoming.line }
      }
    },
    batchDone({ line, end }) {
      lastLine = line
      const done = counts.created + counts.updated + counts.unchanged + counts.failed
      if (source.size === undefined) bar.show(done, undefined, 'records')
      else bar.show(end, source.size, `${done} records`)
      if (cannotKeep) throw cannotKeep.error
    },
    end(broken, stopped) {
      bar.clear()
      if (broken) {
        counts.failed += 1
        const message = `${broken.message}; nothing from here on was read`
        rowErrors.add([{ line: broken.line, field: '', message }])
      }
      ending = endingOf(stopped, lastLine, cannotKeep?.line, summary(counts))
      if (rowErrors.untold() > 0) console.error(`… and ${rowErrors.untold()} more`)
      if (errors?.isWritten())
        console.error(`what was refused is in ${errors.path}: mend it and import it`)
      if (left.size > 0)
        console.error(`not imported, the workspace sets it: ${[...left].join(', ')}`)
      if (ending !== undefined) console.error(ending)
    },
    hasFailed: () => counts.failed > 0 || ending !== undefined,
    print(asJson) {
      const error_file = errors?.isWritten() ? errors.path : null
      if (asJson) printJson({ ...counts, errors: rowErrors.listed, error_file, dry_run: isDryRun })
      else console.log((isDryRun ? 'nothing was changed; it would be: ' : '') + summary(counts))
    },
  }
}

/** Why not all of the file was taken, and how far it was; undefined when all of it was. */
function endingOf(
  stopped: Stopped | undefined,
  lastLine: number,
  notKeptFrom: number | undefined,
  sum: string,
): string | undefined {
  if (!stopped) return undefined
  const reached =
    lastLine === 0
      ? `${stopped} before the first records were in`
      : `${stopped}: all up to the record of line ${lastLine} is done`
  if (notKeptFrom !== undefined)
    return `${reached}; from line ${notKeptFrom} on not all that was refused was kept (${sum})`
  return stopped === 'failed' ? `${reached}, and some of what follows (${sum})` : reached
}

function summary(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([what, count]) => count > 0 || what === 'created')
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')
}
