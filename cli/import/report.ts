import type { Detail } from '../../engine/base/errors.ts'
import { printJson } from '../output.ts'
import { printable } from '../printable.ts'
import { startProgress } from '../progress.ts'
import type { ErrorFile } from './error-file.ts'
import type { BrokenSource } from './incoming.ts'
import type { Listener } from './run.ts'
import type { Source } from './source.ts'

/** Report of an import, told while it runs and when it has ended. */
export interface Report extends Listener {
  /** Notes a field that the file has and the workspace sets itself. */
  leftOut(field: string): void
  /** `stopped` says why not all of the file was taken. */
  end(broken: BrokenSource | undefined, stopped: 'interrupted' | 'failed' | undefined): void
  hasFailed(): boolean
  /** The result on stdout. */
  print(asJson: boolean): void
}

/** Bad rows that a terminal is shown, and those that `--json` has. */
const MAX_SHOWN = 10
const MAX_LISTED = 100

interface RowError {
  readonly line: number
  readonly field: string
  readonly message: string
}

export interface ReportOptions {
  /** File for refused records; none in a dry run: what is refused stays where it is. */
  readonly errors: ErrorFile | undefined
  readonly isDryRun: boolean
}

/** Tells stderr of bad rows as they come, the first ten of them, and keeps them in the error file. */
export function createReport(source: Source, { errors, isDryRun }: ReportOptions): Report {
  const counts = { created: 0, updated: 0, unchanged: 0, submitted: 0, failed: 0 }
  const listed: RowError[] = []
  const left = new Set<string>()
  const bar = startProgress({ label: 'importing' })
  let lastLine = 0
  let told = 0
  let ending: string | undefined
  let cannotKeep: { readonly error: unknown; readonly line: number } | undefined

  function tell(line: string): void {
    bar.clear()
    console.error(line)
  }

  function fail(found: readonly RowError[]): void {
    for (const error of found) {
      if (listed.length < MAX_LISTED) listed.push(error)
      if (told < MAX_SHOWN) tell(rowMessage(source.name, error))
      told += 1
    }
  }

  return {
    leftOut: (field) => void left.add(field),
    written(_incoming, { change, isSubmitted }) {
      counts[change] += 1
      if (isSubmitted) counts.submitted += 1
    },
    refused(incoming, details) {
      counts.failed += 1
      fail(details.map(({ field, message }) => ({ line: incoming.lineOf(field), field, message })))
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
        fail([
          {
            line: broken.line,
            field: '',
            message: `${broken.message}; nothing from here on was read`,
          },
        ])
      }
      if (stopped)
        ending =
          lastLine === 0
            ? `${stopped} before the first records were in`
            : `${stopped}: all up to the record of line ${lastLine} is done`
      if (cannotKeep)
        ending += `; from line ${cannotKeep.line} on not all that was refused was kept (${summary(counts)})`
      else if (stopped === 'failed') ending += `, and some of what follows (${summary(counts)})`
      if (told > MAX_SHOWN) console.error(`… and ${told - MAX_SHOWN} more`)
      if (errors?.isWritten())
        console.error(`what was refused is in ${errors.path}: mend it and import it`)
      if (left.size > 0)
        console.error(`not imported, the workspace sets it: ${[...left].join(', ')}`)
      if (ending !== undefined) console.error(ending)
    },
    hasFailed: () => counts.failed > 0 || ending !== undefined,
    print(asJson) {
      const error_file = errors?.isWritten() ? errors.path : null
      if (asJson) printJson({ ...counts, errors: listed, error_file, dry_run: isDryRun })
      else console.log((isDryRun ? 'nothing was changed; it would be: ' : '') + summary(counts))
    },
  }
}

function summary(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([what, count]) => count > 0 || what === 'created')
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')
}

/** Message about a row, on one line, as names of fields come from the file too. */
function rowMessage(file: string, { line, field, message }: RowError): string {
  const text = `${file}:${line}: ${fieldMessage({ field, message })}`
  return printable(text.replaceAll(/[\n\t]/g, ' '))
}

function fieldMessage({ field, message }: Detail): string {
  return field === '' ? message : `${field}: ${message}`
}
