import { AppError, type Detail } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { assignValue } from '../../expression/syntax/assign.ts'
import { ExpressionError } from '../../expression/tree/problem.ts'
import { OLD_PARENT } from '../../expression/tree/scope.ts'
import type { Environment, ValueType } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import type { Value } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import { type Doc, type Row, rowsOf } from '../../storage/database/document.ts'
import type { CompiledRule } from '../base/compiled-rule.ts'
import { placesOf } from '../base/money-places.ts'
import { GIVEN, linkRecords, type RuleReads } from '../base/reads.ts'
import type { ComputedCell } from './computed-cell.ts'
import { callColumn, calledValue, callRows, mayCall } from './fill-call.ts'
import { copyRows, fetchInto } from './fill-fetch.ts'
import { isOfOthers } from './fill-proposal.ts'
import { type Filling, type FillTarget, isHalfKnown, isMissing } from './filling.ts'
import type { CallRule } from './hook-call.ts'
import type { LookupRule } from './lookup.ts'
import { isMoment, isRenewed, mayFetch } from './moment.ts'
import type { RunningSum } from './running-sum.ts'

export function startFilling(
  registry: Registry,
  reads: RuleReads,
  doc: Doc,
  before: Doc | undefined,
  environment: Environment,
  empty?: ReadonlySet<string>,
): Filling {
  const records = { ...environment.records, this: doc, [GIVEN]: doc }
  const own = { values: doc, isNew: !before, environment: { ...environment, records }, index: 0 }
  return {
    registry,
    reads,
    doc,
    before,
    own,
    rows: new Map(),
    empty,
    failures: [],
    unknown: new Set(),
    began: reads.asked(),
  }
}

/** Fills one computed cell: that of the document, or that of each row of its table. */
export function fillRows(filling: Filling, cell: ComputedCell): void {
  const { reads, unknown } = filling
  const asked = reads.asked()
  const isEarly = cell.call ? isMissing(filling) : isHalfKnown(filling, cell)
  fillCell(filling, cell, isEarly)
  if (isEarly || reads.asked() > asked) unknown.add(cell.path)
}

function fillCell(filling: Filling, cell: ComputedCell, isEarly: boolean): void {
  if (cell.call?.isByPlace) fillColumn(filling, cell, cell.call)
  else if (cell.table !== undefined) {
    const carry = cell.running?.start()
    // One row does not wait for what another one asks for: all of them ask at once.
    for (const target of rowTargets(filling, cell.table))
      fill(filling, cell, target, isEarly, carry)
  } else if (cell.call && cell.field.child) {
    try {
      callRows(filling, cell, cell.call)
    } catch (error) {
      noteMistake(filling, cell, filling.own, error)
    }
  } else if (cell.field.child) copyRows(filling, cell)
  else fill(filling, cell, filling.own, isEarly)
}

/** Fills a column whose hook is called once for all rows; what the hook refuses is reported for the table. */
function fillColumn(filling: Filling, cell: ComputedCell, call: CallRule): void {
  const targets = rowTargets(filling, cell.table!)
  const values = targets.map((target) => target.values)
  try {
    callColumn(filling, cell, call, values)
  } catch (error) {
    if (!isOfData(error)) throw error
    filling.failures.push(failure(cell.table!, error))
  }
}

function rowTargets({ rows, doc, before, own }: Filling, table: string): readonly FillTarget[] {
  const known = rows.get(table)
  if (known) return known
  const { environment } = own
  const oldRows = new Map(
    (before ? rowsOf(before, table) : []).map((row): [string, Row] => [row.row_id, row]),
  )
  const targets = rowsOf(doc, table).map((values, index): FillTarget => {
    const old = oldRows.get(values.row_id)
    const records = {
      ...environment.records,
      parent: doc,
      old,
      [OLD_PARENT]: before,
      this: values,
      [GIVEN]: values,
    }
    return { values, isNew: old === undefined, environment: { ...environment, records }, index }
  })
  rows.set(table, targets)
  return targets
}

/**
 * Fills one cell: by its formula, else fetch, look-up or hook, else the default of something new. Where it reads what is still missing
 * (`isEarly`) nothing is looked up: what is asked for with half-known values would be asked for again.
 */
function fill(
  filling: Filling,
  cell: ComputedCell,
  target: FillTarget,
  isEarly: boolean,
  carry?: ReturnType<RunningSum['start']>,
): void {
  const { field, formula, lookup, call } = cell
  const { values, environment } = target
  try {
    if (formula) {
      values[field.name] = carry
        ? assigned(
            formula,
            field,
            cell.type,
            values,
            filling.doc,
            carry(values as Row, environment),
          )
        : evaluate(filling, formula, cell, target, environment)
      return
    }
    if (target === filling.own && filling.empty?.has(field.name)) return
    const isNew = target.isNew || isRenewed(cell, filling.doc, values, environment)
    if (isNew && !target.isNew) values[field.name] = null
    if (field.fetch && isFetched(cell, filling, target, isNew)) fetchInto(filling, cell, values)
    if (lookup && mayLookUp(field, filling, target, isNew))
      values[field.name] = isEarly ? null : lookedUp(filling, cell, target, lookup)
    if (call && mayCall(field, filling, isNew, isUnset(target, field)))
      values[field.name] = isEarly ? null : calledValue(filling, cell, call, values, environment)
    if (isNew && isUnset(target, field))
      values[field.name] = initialValue(filling, cell, target, isEarly)
  } catch (error) {
    noteMistake(filling, cell, target, error)
  }
}

function lookedUp(
  filling: Filling,
  cell: ComputedCell,
  { values, environment }: FillTarget,
  lookup: LookupRule,
): Value {
  const found = lookup.value(values, environment, filling.reads)
  const isProposal = cell.field.lookup!.when === 'empty'
  return isProposal && isOfOthers(filling, cell, values, found) ? null : found
}

/** Notes what the data makes impossible; throws any other error again. */
function noteMistake(
  { failures }: Filling,
  { field, table }: ComputedCell,
  { index }: FillTarget,
  error: unknown,
): void {
  if (!isOfData(error)) throw error
  const path = table === undefined ? field.name : `${table}[${index}].${field.name}`
  failures.push(failure(path, error))
}

/** Detail of what cannot be computed: a hook refuses by a rule of its own. */
function failure(field: string, error: Error): Detail {
  const code = error instanceof ExpressionError ? 'expression' : 'rule'
  return { field, message: error.message, code }
}

function isOfData(error: unknown): error is Error {
  return (
    error instanceof ExpressionError ||
    (error instanceof AppError && error.code === 'VALIDATION_ERROR')
  )
}

function isUnset({ values }: FillTarget, { name }: Field): boolean {
  return (values[name] ?? null) === null
}

function evaluate(
  { doc }: Filling,
  rule: CompiledRule,
  { field, type }: Pick<ComputedCell, 'field' | 'type'>,
  { values }: FillTarget,
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
  const places = placesOf(field, type, values, doc)
  return assignValue(result, rule.expression, type, places)
}

function initialValue(
  filling: Filling,
  cell: ComputedCell,
  target: FillTarget,
  isEarly: boolean,
): Value {
  const { field, initial, initialPaths, first } = cell
  const { reads } = filling
  const asked = reads.asked()
  if (field.defaultValue !== undefined) return fieldType(field.type).read(field.defaultValue, field)
  if (initial) {
    const { environment, values } = target
    const value = evaluate(
      filling,
      initial,
      cell,
      target,
      initialPaths.length === 0
        ? environment
        : withRecords(environment, linkRecords(initialPaths, values, reads)),
    )
    const isLeftOut = cell.mayBeOthers && isOfOthers(filling, cell, values, value)
    if ((value !== null && !isLeftOut) || isEarly || reads.asked() > asked) return value
  }
  const cellOfOwner = cell.bond?.isOfRow === false ? filling.doc : target.values
  return first ? first.value(target.environment, reads, cellOfOwner) : null
}

function withRecords(environment: Environment, more: Environment['records']): Environment {
  return { ...environment, records: { ...environment.records, ...more } }
}

/** Whether a fetch takes its value in this write: one behind a find when that finds, others as they say. */
function isFetched(
  { field }: ComputedCell,
  { doc, before }: Filling,
  target: FillTarget,
  isNew: boolean,
): boolean {
  const { at, when } = field.fetch!
  if (at !== undefined) return isMoment(at, doc, before, isNew)
  return mayFetch(when, isUnset(target, field), doc)
}

function mayLookUp(
  field: Field,
  { doc, before }: Filling,
  target: FillTarget,
  isNew: boolean,
): boolean {
  const { at, when } = field.lookup!
  if (when === 'empty' && !isUnset(target, field)) return false
  return isMoment(at, doc, before, isNew)
}

/**
 * Fills a made column that is new while its records are not: what stands behind a link as it is now, what a find gives
 * where the record would search again.
 */
export function fillMade(filling: Filling, cell: ComputedCell): void {
  const { field, table, lookup } = cell
  const at = field.lookup?.at ?? field.fetch?.at
  const { docstatus } = filling.doc
  if (at !== undefined && (at === 'submit' || docstatus > (at === 'always' ? 1 : 0))) return
  for (const target of table === undefined ? [filling.own] : rowTargets(filling, table)) {
    try {
      if (field.fetch) fetchInto(filling, cell, target.values)
      else if (lookup && !isMissing(filling))
        target.values[field.name] = lookedUp(filling, cell, target, lookup)
    } catch (error) {
      noteMistake(filling, cell, target, error)
    }
  }
}

/** Whether a mirror row of another day looks this cell up again: it was found by a condition, e.g. on its date. */
export function isRefreshed({ field }: ComputedCell): boolean {
  return field.lookup?.where !== undefined || field.lookup?.equals !== undefined
}

/** Names of the tables of a DocType. */
export function tablesOf({ fields }: DocTypeDefinition): readonly string[] {
  return fields.filter(({ child }) => child).map(({ name }) => name)
}

/** What numbers the rows of every table from 1 (`idx`), so that rules can read their place. */
export function rowNumberer(definition: DocTypeDefinition): (doc: Doc) => void {
  const tables = tablesOf(definition)
  return (doc) => {
    for (const table of tables)
      for (const [index, row] of rowsOf(doc, table).entries()) row.idx = index + 1
  }
}
