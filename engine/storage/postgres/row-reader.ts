import { writtenWhenWarm } from '../database/written-object.ts'
import { POSTGRES_TYPES } from './postgres-types.ts'

/** Makes a row of its values as the server sends them, each a text. */
export type RowReader = (values: readonly (string | null)[]) => Record<string, unknown>

/** A column, as the server describes it. */
export interface FieldDescription {
  readonly name: string
  readonly dataTypeID: number
}

/** Types of PostgreSQL whose values are texts: `text` and `varchar`. */
const TEXTS: ReadonlySet<number> = new Set([25, 1043])

/** Makes the reader of a statement that has these columns. */
export function rowReader(fields: readonly FieldDescription[]): RowReader {
  const names = fields.map(({ name }) => name)
  const parsers = fields.map(({ dataTypeID }) => POSTGRES_TYPES.getTypeParser(dataTypeID, 'text'))
  // Copied for each row, which has its columns at once then.
  const blank = { ...Object.fromEntries(names.map((name) => [name, null])) }
  const readEach: RowReader = (values) => {
    const row: Record<string, unknown> = { ...blank }
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at]!
      if (value !== null) row[names[at]!] = parsers[at]!(value)
    }
    return row
  }
  return writtenWhenWarm(readEach, () => ({
    parameters: ['values'],
    properties: fields.map(({ name, dataTypeID }, at) => {
      const value = `values[${at}]`
      const parsed = `${value} === null ? null : parsers[${at}](${value})`
      return [name, TEXTS.has(dataTypeID) ? value : parsed]
    }),
    known: { parsers },
  }))
}
