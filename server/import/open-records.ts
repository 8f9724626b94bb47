import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { type Mapping, mappingOf } from './columns.ts'
import { csvRecords } from './csv-records.ts'
import { csvRows } from './csv-rows.ts'
import { FileRefused } from './file-refused.ts'
import type { Format } from './format.ts'
import { BrokenSource, type Incoming } from './incoming.ts'
import { jsonRecords } from './json-records.ts'
import { jsonElements, jsonLines } from './json-values.ts'
import type { Source } from './source.ts'

/** Records of a file, and what is known of them before the first one is taken. */
export interface OpenRecords {
  readonly records: AsyncIterable<Incoming>
  /** Headings of a table; JSON has none. */
  readonly headings: readonly string[] | undefined
  /** Fields of the columns of a table, by their headings; JSON has none. */
  readonly mapping: Mapping
  /** Columns with the names of the records. */
  readonly nameHeadings: readonly string[]
  /** Whether the file has a column of this name; of JSON the first record tells. */
  has(name: string): boolean
}

/**
 * Begins to read a file. What the workspace sets itself is left out and named to `leftOut`. Throws FileRefused for
 * headings that name nothing, and where the very beginning cannot be read.
 */
export async function openRecords(
  definition: DocTypeDefinition,
  source: Source,
  format: Format,
  leftOut: (field: string) => void,
  mapping?: Mapping,
): Promise<OpenRecords> {
  try {
    return format === 'csv'
      ? await openTable(definition, source, leftOut, mapping)
      : await openJson(definition, source, format, leftOut)
  } catch (error) {
    if (!(error instanceof BrokenSource)) throw error
    throw new FileRefused(`${source.name}:${error.line}: ${error.message}`, { cause: error })
  }
}

async function openJson(
  definition: DocTypeDefinition,
  { text }: Source,
  format: 'json' | 'jsonl',
  leftOut: (field: string) => void,
): Promise<OpenRecords> {
  const texts = format === 'json' ? jsonElements(text) : jsonLines(text)
  const { first, records } = await peek(jsonRecords(definition, texts, leftOut))
  const has = (name: string): boolean => first !== undefined && name in first.body
  return { records, headings: undefined, mapping: {}, nameHeadings: [], has }
}

async function openTable(
  definition: DocTypeDefinition,
  { text }: Source,
  leftOut: (field: string) => void,
  mapping: Mapping | undefined,
): Promise<OpenRecords> {
  const { headings, columns, records } = await csvRecords(definition, csvRows(text), mapping)
  for (const column of columns)
    if ('heading' in column && column.kind !== 'name') leftOut(column.heading)
  const has = (name: string): boolean =>
    columns.some(
      (column) =>
        (column.kind === 'field' && column.field.name === name) ||
        (column.kind === 'name' && column.heading === name),
    )
  const nameHeadings = columns.flatMap((column) => (column.kind === 'name' ? [column.heading] : []))
  return { records, headings, mapping: mappingOf(headings, columns), nameHeadings, has }
}

/** The first record beside all of them. */
async function peek(
  records: AsyncGenerator<Incoming>,
): Promise<{ readonly first: Incoming | undefined; readonly records: AsyncIterable<Incoming> }> {
  const first = await records.next()
  async function* all(): AsyncGenerator<Incoming> {
    if (!first.done) yield first.value
    yield* records
  }
  return { first: first.done ? undefined : first.value, records: all() }
}
