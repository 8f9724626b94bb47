import type { ColumnOf } from '../../expression/sql/sql-fragment.ts'

const NEVER_NULL: ReadonlySet<string> = new Set([
  'name',
  'owner',
  'created',
  'modified',
  'modified_by',
  'docstatus',
])

/** Columns of a statement that reads one DocType's table without an alias; other records are bound. */
export const columnOfDocument: ColumnOf = (of, name) =>
  of === 'doc' ? column('', name) : undefined

/** A column of a document's table, behind the prefix of its alias (`p.`). */
export function column(prefix: string, name: string): { sql: string; nullable: boolean } {
  const stored = name === 'id' ? 'name' : name
  return { sql: `${prefix}"${stored}"`, nullable: !NEVER_NULL.has(stored) }
}
