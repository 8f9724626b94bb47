import { newRowId } from '../../base/ids.ts'
import { assignValue } from '../../expression/syntax/assign.ts'
import type { Environment, ValueType } from '../../expression/tree/types.ts'
import type { Field, HookCall } from '../../fields/field.ts'
import type { Value } from '../../fields/field-type.ts'
import { type Doc, type Row, rowsOf } from '../../storage/database/document.ts'
import { placesOf } from '../base/money-places.ts'
import type { RuleReads } from '../base/reads.ts'
import { valueType } from '../base/scopes.ts'
import type { ComputedCell } from './computed-cell.ts'
import { type Filling, isMissing } from './filling.ts'
import type { CallRule, HookOutputs } from './hook-call.ts'
import { isMoment } from './moment.ts'
import { emptyRollup } from './start-rollups.ts'

/** Moment of rows that are made from others (`rows`). */
const MADE: Pick<HookCall, 'at' | 'when'> = { at: 'draft', when: 'always' }

/** Whether a hook is called for a field or a table in this write. */
export function mayCall(
  { call }: Field,
  { doc, before }: Filling,
  isNew: boolean,
  isUnset: boolean,
): boolean {
  const { at, when } = call ?? MADE
  if (when === 'empty' && !isUnset) return false
  return isMoment(at, doc, before, isNew)
}

/** The value that the hook gives a field of these values. Throws as `CallRule.run`. */
export function calledValue(
  { doc, reads }: Filling,
  { field, type }: ComputedCell,
  call: CallRule,
  values: Doc | Row,
  environment: Environment,
): Value {
  const [outputs] = call.run(values, environment, reads)
  return outputs ? outputOf(call, outputs, field.call!.value!, field, type, values, doc) : null
}

/**
 * Makes the rows of a table with `call`: one for each record of outputs. Rows keep their ids, and what else they
 * hold, by their place. What has to be read first is read, and the hook called again. Throws as `CallRule.run`.
 */
export function callRows(filling: Filling, { field }: ComputedCell, call: CallRule): void {
  const { doc, own, reads, failures } = filling
  const rows = rowsOf(doc, field.name)
  if (!mayCall(field, filling, own.isNew, rows.length === 0) || isMissing(filling)) return
  const records = call.run(doc, own.environment, reads)
  const { maxRows, fields } = field.child!
  if (records.length > maxRows) {
    const message = `would have ${records.length} rows; expected at most ${maxRows}`
    failures.push({ field: field.name, message, code: 'out_of_range' })
    return
  }
  filling.rows.delete(field.name)
  doc[field.name] = records.map((outputs, index): Row => {
    const row = rows[index] ?? emptyRow(fields)
    row.idx = index + 1
    for (const column of call.columns)
      row[column.name] = outputOf(call, outputs, column.name, column, valueType(column), row, doc)
    return row
  })
}

/** Rows of a table that is made of another (`rows`), as the record alone says them; each beside the stored one of its place. */
export function madeRows(
  { field }: ComputedCell,
  call: CallRule,
  doc: Doc,
  environment: Environment,
  reads: RuleReads,
): readonly Readonly<Record<string, Value>>[] {
  const stored = rowsOf(doc, field.name)
  return call.run(doc, environment, reads).map((outputs, index) => {
    const row = stored[index] ?? emptyRow(field.child!.fields)
    return Object.fromEntries(
      call.columns.map((column) => [
        column.name,
        outputOf(call, outputs, column.name, column, valueType(column), row, doc),
      ]),
    )
  })
}

/**
 * Fills a column with `call` whose hook gives rows: called once, it gives each row the value of its place; rows
 * beyond what it gives are unset. Throws as `CallRule.run`.
 */
export function callColumn(
  filling: Filling,
  { field, type }: ComputedCell,
  call: CallRule,
  rows: readonly (Doc | Row)[],
): void {
  const { doc, own, reads } = filling
  if (!mayCall(field, filling, own.isNew, true)) return
  const { environment } = own
  const inRow = { ...environment, records: { ...environment.records, parent: doc } }
  const isAsked = rows.length > 0 && !isMissing(filling)
  const records = isAsked ? call.run(doc, inRow, reads) : []
  const { name } = field
  for (const [index, values] of rows.entries()) {
    if (field.call!.when === 'empty' && (values[name] ?? null) !== null) continue
    const outputs = records[index]
    values[name] = outputs
      ? outputOf(call, outputs, field.call!.value!, field, type, values, doc)
      : null
  }
}

function emptyRow(columns: readonly Field[]): Row {
  const row: Row = { row_id: newRowId() }
  for (const column of columns) row[column.name] = column.rollup ? emptyRollup(column) : null
  return row
}

function outputOf(
  call: CallRule,
  outputs: HookOutputs,
  name: string,
  field: Field,
  type: ValueType,
  values: Doc | Row,
  doc: Doc,
): Value {
  const value = outputs[name]
  if (value === undefined) return null
  return assignValue(value, call.outputs[name]!, type, placesOf(field, type, values, doc))
}
