import type { FieldInfo, ResourceInfo } from '../data/types.ts'
import { csvOf, rowsOfCsv } from '../list/csv.ts'

/** A file of records, as somebody has given it. */
export interface GivenFile {
  readonly name: string
  /** Of a table its rows, the head first; undefined for other kinds, and for files too large to be mended here. */
  readonly rows: readonly (readonly string[])[] | undefined
  readonly blob: Blob
}

/** Field of each column by its heading; null leaves it out. */
export type Mapping = Readonly<Record<string, string | null>>

/** A field that a column can be taken for. */
export interface Target {
  readonly path: string
  readonly label: string
  readonly isRequired: boolean
  readonly field: FieldInfo
}

/** Most bytes of a table that is taken apart here; a larger one is sent as it is. */
const MOST_BYTES = 12_000_000

/** Reads what was given; tables are taken apart. */
export async function readGiven(file: File): Promise<GivenFile> {
  const isTable = /\.(csv|tsv|txt)$/i.test(file.name) && file.size <= MOST_BYTES
  return isTable
    ? tableFile(file.name, rowsOfCsv(await file.text()))
    : { name: file.name, rows: undefined, blob: file }
}

/** A table of these rows. */
export function tableFile(name: string, rows: readonly (readonly string[])[]): GivenFile {
  const width = rows[0]?.length ?? 0
  const even = rows.map((row) => Array.from({ length: width }, (_, at) => row[at] ?? ''))
  return {
    name: name.replace(/(\.(tsv|txt))?$/i, (ending) => (ending ? '.csv' : '')),
    rows: even,
    blob: new Blob([csvOf(even)], { type: 'text/csv' }),
  }
}

/** Line of the file → its row: a cell may have several lines. */
export function rowOfLine(rows: readonly (readonly string[])[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  let line = 1
  for (const [at, row] of rows.entries()) {
    found.set(line, at)
    line += 1 + row.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0)
  }
  return found
}

/** The fields that a file can fill, those of tables behind those of the record itself. */
export function targetsOf({ fields }: ResourceInfo): readonly Target[] {
  const own = fields.filter(({ readOnly, type }) => !readOnly && type !== 'table')
  const tables = fields.filter(({ readOnly, type }) => !readOnly && type === 'table')
  return [
    ...own.map((field) => targetOf(field, field.name, field.label)),
    ...tables.flatMap((table) =>
      (table.fields ?? [])
        .filter(({ readOnly }) => !readOnly)
        .map((field) =>
          targetOf(field, `${table.name}.${field.name}`, `${table.label}: ${field.label}`),
        ),
    ),
  ]
}

function targetOf(field: FieldInfo, path: string, label: string): Target {
  const { required, default: value, default_expression, fetch } = field
  const fills = value !== undefined || default_expression !== undefined || fetch !== undefined
  return { path, label, isRequired: required && !fills && !path.includes('.'), field }
}

/**
 * What the headings most likely mean: a field by its name or label, each once; else the one field that has to be filled and whose
 * label ends so (`Name` is the customer name).
 */
export function likelyMapping(headings: readonly string[], targets: readonly Target[]): Mapping {
  const taken = new Set<string>()
  return Object.fromEntries(
    headings.map((heading) => {
      const wanted = plain(heading)
      const found =
        wanted === 'id'
          ? 'id'
          : (targets.find(
              ({ path, label, field }) =>
                !taken.has(path) &&
                [path, label, path.includes('.') ? '' : field.label].some(
                  (one) => plain(one) === wanted,
                ),
            )?.path ?? endingSo(wanted, targets, [...taken]))
      if (found === undefined || wanted === '') return [heading.trim(), null]
      taken.add(found)
      return [heading.trim(), found]
    }),
  )
}

function endingSo(
  wanted: string,
  targets: readonly Target[],
  taken: readonly string[],
): string | undefined {
  const ending = targets.filter(
    ({ path, label, isRequired }) =>
      isRequired && !taken.includes(path) && plain(label).endsWith(` ${wanted}`),
  )
  return wanted !== '' && ending.length === 1 ? ending[0]?.path : undefined
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s_:.-]+/g, ' ')
    .trim()
}
