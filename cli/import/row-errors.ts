import type { Detail } from '../../engine/base/errors.ts'
import { printable } from '../terminal/printable.ts'

/** Bad rows that a terminal is shown, and those that `--json` has. */
const MAX_SHOWN = 10
const MAX_LISTED = 100

/** A problem of one row of the file. */
export interface RowError {
  readonly line: number
  readonly field: string
  readonly message: string
}

/** The problems of an import: the first ones are told as they come, more are kept, all are counted. */
export interface RowErrors {
  add(found: readonly RowError[]): void
  /** The first hundred. */
  readonly listed: readonly RowError[]
  /** How many were not told. */
  untold(): number
}

export function collectRowErrors(file: string, tell: (line: string) => void): RowErrors {
  const listed: RowError[] = []
  let count = 0
  return {
    listed,
    add(found) {
      for (const error of found) {
        if (listed.length < MAX_LISTED) listed.push(error)
        if (count < MAX_SHOWN) tell(rowMessage(file, error))
        count += 1
      }
    },
    untold: () => Math.max(0, count - MAX_SHOWN),
  }
}

/** On one line, as names of fields come from the file too. */
function rowMessage(file: string, { line, field, message }: RowError): string {
  const text = `${file}:${line}: ${fieldMessage({ field, message })}`
  return printable(text.replaceAll(/[\n\t]/g, ' '))
}

/** A problem with the field it is of. */
export function fieldMessage({ field, message }: Pick<Detail, 'field' | 'message'>): string {
  return field === '' ? message : `${field}: ${message}`
}
