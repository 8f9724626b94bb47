import { type Doc, type Row, rowsOf } from '../../storage/database/document.ts'
import type { FieldColumn } from '../../storage/records/tables.ts'
import type { DocTypeParts, Services } from './context.ts'

/**
 * Encrypts what a client sent for secret fields, so that neither a dump of the database nor a backup shows
 * it (reliability.md §3, K1). A value that did not change is encrypted already.
 */
export function sealSecrets(
  { seal }: Services,
  { definition, store }: DocTypeParts,
  before: Doc | undefined,
  after: Doc,
): void {
  const { secrets, children } = store.plan
  sealCells(seal, definition.doctype, secrets, before, after)
  for (const child of children) {
    if (child.secrets.length === 0) continue
    const old = new Map(
      (before ? rowsOf(before, child.field) : []).map((row): [string, Row] => [row.row_id, row]),
    )
    for (const row of rowsOf(after, child.field))
      sealCells(seal, child.definition.name, child.secrets, old.get(row.row_id), row)
  }
}

function sealCells(
  seal: Services['seal'],
  doctype: string,
  secrets: readonly FieldColumn[],
  before: Doc | Row | undefined,
  after: Doc | Row,
): void {
  for (const { name } of secrets) {
    const value = after[name]
    if (typeof value !== 'string' || value === before?.[name]) continue
    after[name] = seal(`${doctype}.${name}`, value)
  }
}
