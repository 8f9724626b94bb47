import type { Environment } from '../../expression/tree/types.ts'
import type { Lookup } from '../../fields/field.ts'
import { type Doc, type Row, rowsOf } from '../../storage/database/document.ts'
import type { ComputedCell } from './computed-cell.ts'

/** Whether what is taken `at` a moment is taken in this write. */
export function isMoment(
  at: Lookup['at'],
  doc: Doc,
  before: Doc | undefined,
  isNew: boolean,
): boolean {
  const submitting = doc.docstatus === 1 && before?.docstatus !== 1
  if (at === 'create') return isNew
  // What is over keeps what it had.
  if (at === 'always') return doc.docstatus < 2
  return submitting || (at === 'draft' && doc.docstatus === 0)
}

/**
 * Whether a fetch takes its value in this write. `draft` (the default) follows the master while the document is a
 * draft; a submitted one keeps what it had.
 */
export function mayFetch(when: 'always' | 'empty' | 'draft', isUnset: boolean, doc: Doc): boolean {
  if (when === 'always') return true
  if (doc.docstatus !== 0) return false
  return when === 'draft' || isUnset
}

/** Whether a value that this write leaves as it was is taken anew, because its `renew` condition holds. */
export function isRenewed(
  { renew, field }: Pick<ComputedCell, 'renew' | 'field'>,
  doc: Doc,
  values: Doc | Row,
  environment: Environment,
): boolean {
  const { old } = environment.records
  if (!renew || !old || doc.docstatus !== 0) return false
  return values[field.name] === old[field.name] && renew.evaluate()(values, environment) === true
}

/** Whether a cell is only filled in drafts and in what is new: the submit of a draft passes it over. */
export function isOfDrafts({ formula, field }: Pick<ComputedCell, 'formula' | 'field'>): boolean {
  const { fetch, lookup, call, rows } = field
  if (formula || rows) return false
  if (fetch && (fetch.at === undefined ? fetch.when === 'always' : fetch.at !== 'create'))
    return false
  return (!lookup || lookup.at === 'create') && (!call || call.at === 'create')
}

/** Whether one of these tables has a row that it had not, or another order. */
export function hasNewRows(tables: readonly string[], doc: Doc, before: Doc): boolean {
  return tables.some((table) => {
    const old = rowsOf(before, table)
    return rowsOf(doc, table).some(({ row_id }, index) => old[index]?.row_id !== row_id)
  })
}
