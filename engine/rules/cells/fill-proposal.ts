import type { Value } from '../../fields/field-type.ts'
import { type Doc, type Row, valueIn } from '../../storage/database/document.ts'
import type { ComputedCell } from './computed-cell.ts'
import type { Filling } from './filling.ts'

/** Whether what would be proposed for a link belongs to another owner, e.g. the account an item has in another company. */
export function isOfOthers(
  { doc, reads }: Filling,
  { bond }: ComputedCell,
  values: Doc | Row,
  name: Value,
): boolean {
  if (!bond || typeof name !== 'string') return false
  const ours = (bond.isOfRow ? values : doc)[bond.ours] ?? null
  if (ours === null) return false
  const found = reads.get(bond.doctype, name)
  const theirs = found ? valueIn(found, bond.theirs) : null
  return theirs !== null && theirs !== ours
}
