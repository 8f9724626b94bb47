import type { FieldInfo, RecordData, ResourceInfo, Row } from '../data/types.ts'

/** A place of a paper: a field of its record, or of a row of one of its tables. */
export interface PaperPlace {
  readonly field: FieldInfo
  /** Name of the table and number of the row, where it is in one. */
  readonly table?: string
  readonly index?: number
  /** The record or the row it is of. */
  readonly row: Row
}

/** Texts of several lines are edited in the form. */
const LONG: ReadonlySet<string> = new Set([
  ...['text', 'small_text', 'long_text', 'markdown', 'html', 'code', 'json', 'check'],
])

/** What an element of a paper is of, where it may be changed: the sheet says of which field each is (`data-field`). */
export function placeOf(
  element: Element,
  { fields }: ResourceInfo,
  record: RecordData,
): PaperPlace | undefined {
  const name = element.getAttribute('data-field')
  const table = element.closest('table')?.getAttribute('data-table')
  if (typeof table !== 'string') {
    const field = fields.find((one) => one.name === name)
    return field && canBeChanged(field) ? { field, row: record } : undefined
  }
  const declared = fields.find((one) => one.name === table)
  const field = declared?.fields?.find((one) => one.name === name)
  const line = element.closest('tr')
  const index = line ? [...(line.parentElement?.children ?? [])].indexOf(line) : -1
  const row = (record[table] as readonly Row[] | undefined)?.[index]
  if (!field || !row || declared?.readOnly || !canBeChanged(field)) return undefined
  return { field, table, index, row }
}

function canBeChanged({ readOnly, createOnly, type }: FieldInfo): boolean {
  return !readOnly && !createOnly && !LONG.has(type)
}
