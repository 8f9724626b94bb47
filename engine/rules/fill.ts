import { minorUnit } from '../base/currency.ts'
import type { Detail } from '../base/errors.ts'
import { newRowId } from '../base/ids.ts'
import type { DocTypeDefinition, Field } from '../definition/definition.ts'
import type { Registry } from '../definition/registry.ts'
import { assignValue } from '../expression/assign.ts'
import { ExpressionError } from '../expression/problem.ts'
import { type Environment, isNumeric, unsetValue, type ValueType } from '../expression/types.ts'
import type { Value } from '../fields/field-type.ts'
import { fieldType } from '../fields/index.ts'
import { type Doc, type Row, rowsOf, valueIn } from '../storage/document.ts'
import { linkRecords, type RuleReads } from './reads.ts'
import { valueType } from './scopes.ts'
import type { CompiledRule, Step } from './steps.ts'

/** What filling the cells of one document goes by. */
export interface Filling {
  readonly definition: DocTypeDefinition
  readonly registry: Registry
  readonly reads: RuleReads
  readonly records: Environment
  /** Cells that could not be computed, as details of a 422. */
  readonly failures: Detail[]
}

/** One cell while it is filled: a field of the document, or of one of its rows. */
interface Cell {
  readonly values: Doc | Row
  readonly doc: Doc
  readonly before: Doc | undefined
  readonly isNew: boolean
  readonly environment: Environment
  readonly path: string
}

/** Sets the cells of one step: one of the document, or one in each row of its table. */
export function fillRows(filling: Filling, step: Step, doc: Doc, before: Doc | undefined): void {
  const { records: environment } = filling
  if (step.table === undefined) {
    const cell = { values: doc, doc, before, isNew: !before, environment, path: step.path }
    if (step.field.child) copyRows(filling, step, doc)
    else fill(filling, step, cell)
    return
  }
  const oldRows = new Map(
    (before ? rowsOf(before, step.table) : []).map((row): [string, Row] => [row.row_id, row]),
  )
  for (const [index, row] of rowsOf(doc, step.table).entries()) {
    const old = oldRows.get(row.row_id)
    const records = { ...environment.records, parent: doc, old }
    fill(filling, step, {
      values: row,
      doc,
      before,
      isNew: old === undefined,
      environment: { ...environment, records },
      path: `${step.table}[${index}].${step.field.name}`,
    })
  }
}

/** Formula, else fetch or look-up, else default of something new. */
function fill(filling: Filling, step: Step, cell: Cell): void {
  const { field, formula, lookup } = step
  const { values, doc, isNew, environment, path } = cell
  const isUnset = (): boolean => (values[field.name] ?? null) === null
  try {
    if (formula) {
      values[field.name] = evaluate(formula, step, cell, environment)
      return
    }
    if (field.fetch && mayFetch(field.fetch.when, isUnset(), doc)) fetchInto(filling, step, values)
    // What is asked for with half-known values would be asked for again.
    const isEarly = filling.reads.pending() > 0
    if (lookup && mayLookUp(field, cell, isUnset()))
      values[field.name] = isEarly ? null : lookup.value(values, environment, filling.reads)
    if (isNew && isUnset()) values[field.name] = initialValue(filling, step, cell)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    filling.failures.push({ field: path, message: error.message })
  }
}

function evaluate(
  rule: CompiledRule,
  { field, type }: Pick<Step, 'field' | 'type'>,
  { values, doc }: Cell,
  environment: Environment,
): Value {
  return assigned(rule, field, type, values, doc, rule.evaluate()(values, environment))
}

/** A result as the value of a field: money is rounded to the currency it is in (rules.md §3). */
export function assigned(
  rule: CompiledRule,
  field: Field,
  type: ValueType,
  values: Doc | Row,
  doc: Doc,
  result: ReturnType<ReturnType<CompiledRule['evaluate']>>,
): Value {
  const places = type.kind === 'money' ? minorUnit(currencyOf(field, values, doc)) : undefined
  return assignValue(result, rule.expression, type, places)
}

/** The currency of an amount: the field it names, in the row or the document, else the document's `currency`. */
function currencyOf(field: Field, values: Doc | Row, doc: Doc): string | null {
  const name = field.currencyField ?? 'currency'
  const value = values[name] ?? doc[name] ?? null
  return typeof value === 'string' ? value : null
}

function initialValue(filling: Filling, step: Step, cell: Cell): Value {
  const { field, initial, initialPaths, first } = step
  const { reads } = filling
  if (field.defaultValue !== undefined) return fieldType(field.type).read(field.defaultValue, field)
  if (initial) {
    const { environment, values } = cell
    const records = { ...environment.records, ...linkRecords(initialPaths, values, reads) }
    const value = evaluate(initial, step, cell, { ...environment, records })
    if (value !== null || reads.pending() > 0) return value
  }
  return first ? first.value(cell.environment, reads) : null
}

/** `draft` (the default) follows the master while the document is a draft; a submitted one keeps what it had. */
function mayFetch(when: 'always' | 'empty' | 'draft', isUnset: boolean, doc: Doc): boolean {
  if (when === 'always') return true
  if (doc.docstatus !== 0) return false
  return when === 'draft' || isUnset
}

function mayLookUp(field: Field, { doc, before, isNew }: Cell, isUnset: boolean): boolean {
  const { at, when } = field.lookup!
  if (when === 'empty' && !isUnset) return false
  const submitting = doc.docstatus === 1 && before?.docstatus !== 1
  if (at === 'create') return isNew
  return submitting || (at === 'draft' && doc.docstatus === 0)
}

/** A mirror row of another day looks up again what was found by a condition, e.g. on its date. */
export function isRefreshed({ field }: Step): boolean {
  return field.lookup?.where !== undefined
}

function fetchInto(filling: Filling, step: Step, values: Doc | Row): void {
  const { field, type } = step
  const master = masterOf(filling, step, values)
  const origin = master && filling.registry.fieldOf(master, field.fetch!.field)
  const name = values[field.fetch!.link]
  const target =
    master && typeof name === 'string' ? filling.reads.get(master.doctype, name) : undefined
  const value = target ? valueIn(target, field.fetch!.field) : null
  values[field.name] =
    value === null || !origin ? null : assignValue(value, valueType(origin), type)
}

/** The DocType that a fetch reads from: that of the link, or the one a dynamic link names. */
function masterOf(
  { registry }: Filling,
  { through }: Step,
  values: Doc | Row,
): DocTypeDefinition | undefined {
  const doctype =
    through?.link ?? (through?.linkFrom === undefined ? undefined : values[through.linkFrom])
  return typeof doctype === 'string' ? registry.byDoctype(doctype) : undefined
}

/** `fetch` of a table: the rows of the linked record's table, while this one is empty and a draft. */
function copyRows(filling: Filling, step: Step, doc: Doc): void {
  const { field } = step
  if (!field.fetch || !field.child || doc.docstatus !== 0) return
  if (rowsOf(doc, field.name).length > 0) return
  const { link, field: table } = field.fetch
  const master = masterOf(filling, step, doc)
  const name = doc[link]
  if (!master || typeof name !== 'string') return
  const target = filling.reads.get(master.doctype, name, table)
  if (!target) return
  doc[field.name] = rowsOf(target, table).map((row): Row => {
    const copy: Row = { row_id: newRowId() }
    for (const column of field.child!.fields)
      copy[column.name] = column.formula === undefined ? (row[column.name] ?? null) : null
    return copy
  })
}

/** Rows know their place while rules look at them. */
export function numberRows({ fields }: DocTypeDefinition, doc: Doc): void {
  for (const { name, child } of fields)
    if (child) for (const [index, row] of rowsOf(doc, name).entries()) row.idx = index + 1
}

/** A rollup over nothing is 0, or unset for `min` and `max`; only the engine changes it afterwards. */
export function startRollups(
  { fields }: DocTypeDefinition,
  doc: Doc,
  before: Doc | undefined,
): void {
  for (const field of fields) {
    if (field.rollup && !before) doc[field.name] = emptyRollup(field)
    const columns = field.child?.fields.filter(({ rollup }) => rollup !== undefined) ?? []
    if (columns.length === 0) continue
    const known = new Set((before ? rowsOf(before, field.name) : []).map(({ row_id }) => row_id))
    for (const row of rowsOf(doc, field.name)) {
      if (known.has(row.row_id)) continue
      for (const column of columns) row[column.name] = emptyRollup(column)
    }
  }
}

function emptyRollup(field: Field): Value {
  const { kind } = valueType(field)
  const { operation } = field.rollup!
  if (operation === 'min' || operation === 'max' || !isNumeric(kind)) return null
  return unsetValue(kind)
}
