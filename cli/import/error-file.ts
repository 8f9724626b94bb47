import { closeSync, lstatSync, openSync, writeFileSync } from 'node:fs'
import { csvLine } from '../../engine/base/csv-line.ts'
import { fileProblem } from '../../engine/base/file-error.ts'
import { isObject } from '../../engine/base/json-text.ts'
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
 * line of JSON. Throws Failure at once where a file or a link of that name is there, which may hold what nobody
 * has mended; `add` throws it where nothing can be written.
 */
export function errorFile(path: string, headings: () => readonly string[] | undefined): ErrorFile {
  if (lstatSync(path, { throwIfNoEntry: false }))
    throw new Failure(
      `${path} is there from an earlier import: mend and import it, then remove it, or name another with --errors`,
    )
  let file: number | undefined

  function opened(): number {
    if (file !== undefined) return file
    file = openSync(path, 'wx', 0o600)
    const columns = headings()
    if (columns) put(file, csvLine([...NOTE_COLUMNS, ...withoutNotes(columns, columns)]))
    return file
  }

  return {
    path,
    isWritten: () => file !== undefined,
    add(incoming, error) {
      try {
        put(opened(), textOf(incoming, error, headings()))
      } catch (cause) {
        throw new Failure(`cannot write ${path}: ${fileProblem(cause)}`, { cause })
      }
    },
    close() {
      if (file !== undefined) closeSync(file)
    },
  }
}

/** Writes all of a text: a disk that is nearly full takes a part of what one write is given, and says nothing. */
function put(file: number, text: string): void {
  writeFileSync(file, text)
}

function textOf(
  { line, original }: Incoming,
  error: string,
  headings: readonly string[] | undefined,
): string {
  if (typeof original === 'string') return `${noted(original, { _line: line, _error: error })}\n`
  const notes = (at: number): string[] => (at === 0 ? [String(line), error] : ['', ''])
  return original
    .map((cells, at) => csvLine([...notes(at), ...withoutNotes(headings ?? [], cells)]))
    .join('')
}

/** The notes of an earlier error file are replaced. */
function withoutNotes(headings: readonly string[], cells: readonly string[]): readonly string[] {
  return cells.filter((_, at) => !NOTE_COLUMNS.includes(headings[at]?.trim() ?? ''))
}

/** The notes that stand first in a line of an earlier error file. */
const NOTED = /^\{"_line":\d+,"_error":"(?:[^"\\]+|\\.)*"(?:,|(?=\}))/

/**
 * The text of a JSON object on one line, with these notes. What it has stays as it was written: read and written
 * again, a number that is refused for its size would be another one, which is taken. What is no object is quoted.
 */
function noted(text: string, notes: Readonly<Record<string, unknown>>): string {
  if (!isObjectText(text)) return JSON.stringify({ ...notes, text })
  const head = JSON.stringify(notes).slice(0, -1)
  // In JSON a line break stands between values only.
  const fields = text
    .trim()
    .replace(NOTED, '{')
    .slice(1)
    .replaceAll(/[\r\n]\s*/g, ' ')
    .trimStart()
  return fields === '}' ? `${head}}` : `${head},${fields}`
}

function isObjectText(text: string): boolean {
  try {
    return isObject(JSON.parse(text))
  } catch (_noJson) {
    return false
  }
}
