import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { ColumnOf } from '../../expression/sql/sql-fragment.ts'
import { column } from './columns.ts'

/** A DocType, or a table of it, whose rows are added up or looked through. */
export interface RowOrigin {
  readonly source: DocTypeDefinition
  readonly sourceTable: string | undefined
}

/** Columns of these rows: `c` the rows of a table, `d` the document. */
export function columnsOfSource({ sourceTable }: RowOrigin): ColumnOf {
  return (of, name) => {
    if (of === 'parent') return column('d.', name)
    if (of !== 'doc') return undefined
    if (sourceTable === undefined) return column('d.', name)
    return name === 'row_id' || name === 'idx'
      ? { sql: `c."${name}"`, nullable: false }
      : { sql: `c."${name}"`, nullable: true }
  }
}

/** Tables of these rows as FROM names them, under the aliases `c` and `d`. */
export function sourceOf({ source, sourceTable }: RowOrigin): string {
  if (sourceTable === undefined) return `"${source.table}" d`
  return `"${source.table}__${sourceTable}" c join "${source.table}" d on d."rid" = c."parent"`
}
