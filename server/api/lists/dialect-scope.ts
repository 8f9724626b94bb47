import type { QueryScope } from '../../../engine/documents/lists/query-scope.ts'
import type { Dialect, Words } from '../../../engine/schema/dialect/dialect.ts'
import type { QueryColumn } from '../../../engine/storage/query/query-source.ts'

/**
 * Scope in which fields go by the names of the dialect too, as documents are shown with them. `rowsOf` is the DocType
 * of a table's rows.
 */
export function dialectScope(
  scope: QueryScope,
  dialect: Dialect,
  rowsOf: (table: string) => string | undefined,
): QueryScope {
  return {
    ...scope,
    own: (name) => columnMeant(dialect.of(scope.doctype), name, scope.own),
    ofRows: (table, name) =>
      columnMeant(dialect.of(rowsOf(table) ?? ''), name, (field) => scope.ofRows(table, field)),
  }
}

/** The column of a name: what clients read under it, else the field called so, else what they send under it. */
function columnMeant(
  words: Words | undefined,
  name: string,
  column: (field: string) => QueryColumn | undefined,
): QueryColumn | undefined {
  const shown = words?.shows.get(name)
  if (shown && !shown.words) return column(shown.field)
  const taken = words?.takes.find(({ from, column: part, less }) => from === name && !part && !less)
  return column(name) ?? (taken && column(taken.field))
}
