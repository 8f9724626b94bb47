import type { LinkField, LinkFields } from '../../engine/documents/work/context.ts'
import type { Incoming } from './incoming.ts'

/** A link in the body of a record, as the file gives it: a name or a title, as text. */
export interface LinkCell {
  readonly values: Record<string, unknown>
  readonly field: string
  readonly path: string
  readonly doctype: string
  readonly text: string
}

/** The links of a record that are given as text, its own and those of its rows. */
export function linkCells({ body }: Incoming, { own, tables }: LinkFields): LinkCell[] {
  const cells: LinkCell[] = []
  const collect = (fields: readonly LinkField[], values: unknown, prefix: string): void => {
    if (typeof values !== 'object' || values === null) return
    const record = values as Record<string, unknown>
    for (const { name, link, linkFrom, linkTable } of fields) {
      const text = record[name]
      const doctype = link ?? record[linkFrom!]
      if (linkTable !== undefined || typeof text !== 'string' || typeof doctype !== 'string')
        continue
      if (text !== '')
        cells.push({ values: record, field: name, path: prefix + name, doctype, text })
    }
  }
  collect(own, body, '')
  for (const { table, fields } of tables) {
    const rows = body[table]
    if (!Array.isArray(rows)) continue
    for (const [index, row] of rows.entries()) collect(fields, row, `${table}[${index}].`)
  }
  return cells
}
