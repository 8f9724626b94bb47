import { newRowId } from '../../base/ids.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { assignValue } from '../../expression/syntax/assign.ts'
import { type Doc, type Row, rowsOf, valueIn } from '../../storage/database/document.ts'
import { valueType } from '../base/scopes.ts'
import type { ComputedCell } from './computed-cell.ts'
import { isOfOthers } from './fill-proposal.ts'
import type { Filling } from './filling.ts'
import { emptyRollup } from './start-rollups.ts'

/** Sets a field with `fetch` to the value of the linked record; unset where there is none. */
export function fetchInto(filling: Filling, cell: ComputedCell, values: Doc | Row): void {
  const { field, type } = cell
  const name = values[field.fetch!.link] ?? null
  // Most links of a document are not set.
  if (name === null) {
    values[field.name] = null
    return
  }
  const master = masterOf(filling, cell, values)
  const origin = master && filling.registry.fieldOf(master, field.fetch!.field)
  const target =
    master && typeof name === 'string' ? filling.reads.get(master.doctype, name) : undefined
  const value = target ? valueIn(target, field.fetch!.field) : null
  const fetched = value === null || !origin ? null : assignValue(value, valueType(origin), type)
  const isProposal = field.fetch!.when === 'empty'
  values[field.name] = isProposal && isOfOthers(filling, cell, values, fetched) ? null : fetched
}

/** The DocType that a fetch reads from: that of the link, or the one a dynamic link names. */
function masterOf(
  { registry }: Filling,
  { through }: ComputedCell,
  values: Doc | Row,
): DocTypeDefinition | undefined {
  const doctype =
    through?.link ??
    through?.made?.names ??
    (through?.linkFrom === undefined ? undefined : values[through.linkFrom])
  return typeof doctype === 'string' ? registry.byDoctype(doctype) : undefined
}

/** Copies the rows of the linked record's table into one with `fetch`, while it is empty and the document a draft. */
export function copyRows(filling: Filling, cell: ComputedCell): void {
  const { field } = cell
  const { doc } = filling
  if (!field.fetch || !field.child || doc.docstatus !== 0) return
  if (rowsOf(doc, field.name).length > 0) return
  const { link, field: table, as = {} } = field.fetch
  const master = masterOf(filling, cell, doc)
  const name = doc[link]
  if (!master || typeof name !== 'string') return
  const target = filling.reads.get(master.doctype, name, table)
  if (!target) return
  const origins = new Map(Object.entries(as).map(([there, here]) => [here, there]))
  filling.rows.delete(field.name)
  doc[field.name] = rowsOf(target, table).map((row, index): Row => {
    const copy: Row = { row_id: newRowId(), idx: index + 1 }
    for (const column of field.child!.fields) {
      const from = origins.get(column.name) ?? column.name
      if (column.rollup) copy[column.name] = emptyRollup(column)
      else if (column.formula !== undefined || column.made) copy[column.name] = null
      else
        copy[column.name] =
          as[from] === undefined || from !== column.name ? (row[from] ?? null) : null
    }
    return copy
  })
}
