import { once } from '../../base/once.ts'
import { type Bond, bondOf } from '../../definition/model/bond.ts'
import { type Scope, withRecord } from '../../expression/tree/scope.ts'
import { CONDITION, type ValueType } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import { type CompileContext, type CompiledRule, readsOf } from '../base/compiled-rule.ts'
import type { GraphNode } from '../base/graph.ts'
import { GIVEN, type LinkPath, linkPathsOf } from '../base/reads.ts'
import { valueType } from '../base/scopes.ts'
import { type FindRule, findKey, findRulesOf } from './find.ts'
import { type CallRule, compileCall } from './hook-call.ts'
import { compileDefaultFrom, compileLookup, type FirstRecord, type LookupRule } from './lookup.ts'
import { compileMadeRows } from './made-rows.ts'
import { areOwn } from './own-values.ts'
import { type RunningSum, runningSum } from './running-sum.ts'

/** Computed cell with the sources that fill it, in this order of precedence. */
export interface ComputedCell extends GraphNode {
  readonly field: Field
  /** Table the field is a column of; undefined for the document's own. */
  readonly table: string | undefined
  readonly type: ValueType
  readonly formula: CompiledRule | undefined
  /** The same formula carried along from row to row, where it adds up earlier rows. */
  readonly running: RunningSum | undefined
  /** The link a fetch goes through. */
  readonly through: Field | undefined
  readonly lookup: LookupRule | undefined
  readonly call: CallRule | undefined
  readonly initial: CompiledRule | undefined
  /** Links that `initial` looks through. */
  readonly initialPaths: readonly LinkPath[]
  readonly first: FirstRecord | undefined
  /** Bond of a link: no record of another owner is proposed for it. */
  readonly bond: Bond | undefined
  /** Whether `initial` may give a record of another owner. */
  readonly mayBeOthers: boolean
  /** Condition under which the value of a draft is taken anew. */
  readonly renew: CompiledRule | undefined
}

/**
 * The computed cells of a DocType in the order they are declared, those of its finds first: a record that is found by its name is
 * locked, and what is added up of what others take from it has to be read after that.
 */
export function computedCellsOf(context: CompileContext): ComputedCell[] {
  const { definition, scopes } = context
  const { document, rows } = scopes.of(definition)
  const moments = scopes.momentOf(definition)
  const found = findRulesOf(context)
  const cells: ComputedCell[] = []
  const addLevel = (fields: readonly Field[], level: CellLevel): void => {
    for (const field of fields) {
      const cell = hasSource(field) ? computedCellOf(context, field, level, found) : undefined
      if (cell) cells.push(cell)
      if (!field.child || level.table) continue
      addLevel(field.child.fields, {
        table: field,
        formulas: rows.get(field.name)!,
        defaults: once(() => withGiven(moments.rows.get(field.name)!)),
      })
    }
  }
  addLevel(definition.fields, {
    table: undefined,
    formulas: document,
    defaults: once(() => withGiven(moments.document)),
  })
  const isOfFind = ({ field }: ComputedCell): boolean => field.made !== undefined && !!field.lookup
  return [...cells.filter(isOfFind), ...cells.filter((cell) => !isOfFind(cell))]
}

/** Document or table whose cells are compiled, with the names that formulas and defaults there may use. */
interface CellLevel {
  readonly table: Field | undefined
  readonly formulas: Scope
  readonly defaults: () => Scope
}

function computedCellOf(
  context: CompileContext,
  field: Field,
  { table: tableField, formulas, defaults }: CellLevel,
  found: ReadonlyMap<string, FindRule>,
): ComputedCell | undefined {
  const { compile } = context
  const table = tableField?.name
  const columns = tableField?.child?.fields
  const path = table === undefined ? [field.name] : [table, 'fields', field.name]
  const type = valueType(field)
  const formula =
    field.formula === undefined
      ? undefined
      : compile(field.formula, formulas, type, ['fields', ...path, 'formula'])
  const running =
    formula && table !== undefined ? runningSum(formula.expression.tree, table) : undefined
  const find = found.get(findKey(table, field.lookup?.find ?? field.fetch?.find))
  const lookup = lookupOf(context, field, table, find)
  const call = callOf(context, field, table, ['fields', ...path])
  const initial =
    field.default === undefined || field.defaultValue !== undefined
      ? undefined
      : compile(field.default, defaults(), type, ['fields', ...path, 'default'])
  const bond = bondOf(context.registry, context.definition, field, columns)
  const first =
    field.defaultFrom === undefined
      ? undefined
      : compileDefaultFrom(context, field, bond, ['fields', ...path, 'default_from'])
  const renew =
    field.made || field.renew === undefined
      ? find?.renew
      : compile(field.renew, formulas, CONDITION, ['fields', ...path, 'renew'])
  const source = formula ?? lookup ?? call ?? initial ?? first ?? field.fetch ?? field.defaultValue
  if (source === undefined) return undefined
  const siblings = columns ?? context.definition.fields
  const initialPaths = initial ? linkPathsOf(initial.expression, siblings, context.registry) : []
  const mayBeOthers = bond !== undefined && !areOwn(initial, { ...context, columns, bond })
  const cellPath = (name: string): string => (table === undefined ? name : `${table}.${name}`)
  const through = field.fetch && siblings.find(({ name }) => name === field.fetch!.link)
  const reads: string[] = []
  for (const rule of [formula, initial, renew, lookup?.match].concat(call?.inputs ?? []))
    if (rule) reads.push(...readsOf(rule.expression, table))
  if (lookup) reads.push(...lookup.reads)
  if (call) reads.push(...call.cells)
  for (const link of initialPaths) reads.push(cellPath(link.field))
  if (field.fetch) reads.push(cellPath(field.fetch.link))
  if (through?.linkFrom !== undefined) reads.push(cellPath(through.linkFrom))
  if (bond && (field.fetch || lookup || first || mayBeOthers))
    reads.push(bond.isOfRow ? cellPath(bond.ours) : bond.ours)
  // Rows that are put into the table have to be there first.
  if (tableField?.fetch || tableField?.call || tableField?.rows) reads.push(tableField.name)
  return {
    path: cellPath(field.name),
    reads,
    field,
    table,
    type,
    formula,
    running,
    through,
    lookup,
    call,
    initial,
    initialPaths,
    first,
    bond,
    mayBeOthers,
    renew,
  }
}

/** Whether anything but the caller gives the field a value. */
function hasSource(field: Field): boolean {
  const { formula, lookup, call, rows, defaultValue, defaultFrom, fetch } = field
  const given = formula ?? lookup ?? call ?? rows ?? field.default ?? defaultFrom ?? fetch
  return given !== undefined || defaultValue !== undefined
}

/** The look-up of a field: its own, or that of the find whose column it is. */
function lookupOf(
  context: CompileContext,
  field: Field,
  table: string | undefined,
  find: FindRule | undefined,
): ComputedCell['lookup'] {
  if (field.lookup?.find !== undefined) return find?.lookupOf(field)
  const path = table === undefined ? [field.name] : [table, 'fields', field.name]
  return field.lookup && compileLookup(context, field, table, ['fields', ...path])
}

/** Rule of the rows that are made of others, or of a hook's call. */
function callOf(
  context: CompileContext,
  field: Field,
  table: string | undefined,
  path: readonly string[],
): CallRule | undefined {
  if (field.rows) return compileMadeRows(context, field, path)
  return field.call && compileCall(context, field, table, path)
}

const SENT: ReadonlySet<string> = new Set([GIVEN])

/** Scope of defaults: by `given`, what the caller sent, two fields may stand in for each other without a cycle. */
function withGiven(scope: Scope): Scope {
  return { ...withRecord(scope, GIVEN, scope.fields), bare: SENT }
}
