import { csvLine } from '../../engine/base/csv-line.ts'
import { isObject } from '../../engine/base/json-text.ts'
import { NOTE_COLUMNS } from './columns.ts'
import type { Incoming } from './incoming.ts'

/** Head of a table of refused records; empty where the file has no headings: JSON. */
export function refusedHead(headings: readonly string[] | undefined): string {
  return headings ? csvLine([...NOTE_COLUMNS, ...withoutNotes(headings, headings)]) : ''
}

/** A refused record whole, with its line and why: rows of a table where there are headings, else a line of JSON. */
export function refusedText(
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
