import { closeSync, existsSync, openSync, writeSync } from 'node:fs'
import { csvLine } from '../export/csv-line.ts'
import { Failure } from '../failure.ts'
import { NOTE_COLUMNS } from './columns.ts'
import type { Incoming } from './incoming.ts'

/** Keeps the records that were not imported, whole, to be mended and imported again. */
export interface ErrorFile {
  readonly path: string
  /** True once it holds a record. */
  readonly isWritten: () => boolean
  add(incoming: Incoming, error: string): void
  close(): void
}

/**
 * The file is made with the first bad record. `headings` are those of a table; without them each record is a
 * line of JSON. Throws Failure at once where a file of that name is there: it may hold what nobody has mended.
 */
export function errorFile(path: string, headings: () => readonly string[] | undefined): ErrorFile {
  if (existsSync(path))
    throw new Failure(
      `${path} is there from an earlier import: mend and import it, then remove it, or name another with --errors`,
    )
  let file: number | undefined

  function opened(): number {
    if (file !== undefined) return file
    try {
      file = openSync(path, 'wx', 0o600)
    } catch (error) {
      throw new Failure(`cannot write ${path}: ${(error as Error).message}`, { cause: error })
    }
    const columns = headings()
    if (columns) writeSync(file, csvLine([...NOTE_COLUMNS, ...withoutNotes(columns, columns)]))
    return file
  }

  return {
    path,
    isWritten: () => file !== undefined,
    add(incoming, error) {
      writeSync(opened(), textOf(incoming, error, headings()))
    },
    close() {
      if (file !== undefined) closeSync(file)
    },
  }
}

function textOf(
  { line, original }: Incoming,
  error: string,
  headings: readonly string[] | undefined,
): string {
  if (!isTable(original))
    return `${JSON.stringify({ _line: line, _error: error, ...withoutNoteKeys(original) })}\n`
  const notes = (at: number): string[] => (at === 0 ? [String(line), error] : ['', ''])
  return original
    .map((cells, at) => csvLine([...notes(at), ...withoutNotes(headings ?? [], cells)]))
    .join('')
}

function isTable(original: Incoming['original']): original is readonly (readonly string[])[] {
  return Array.isArray(original)
}

/** The notes of an earlier error file are replaced. */
function withoutNotes(headings: readonly string[], cells: readonly string[]): readonly string[] {
  return cells.filter((_, at) => !NOTE_COLUMNS.includes(headings[at]?.trim() ?? ''))
}

function withoutNoteKeys(original: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(original).filter(([key]) => !NOTE_COLUMNS.includes(key)))
}
