import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { type Fields, type Scope, withRecord } from '../../expression/tree/scope.ts'
import { CONDITION, type Environment } from '../../expression/tree/types.ts'
import type { Field, MadeRows } from '../../fields/field.ts'
import { type Doc, type Row, rowsOf } from '../../storage/database/document.ts'
import type { CompileContext, CompiledRule, RuleProblem } from '../base/compiled-rule.ts'
import type { RuleReads } from '../base/reads.ts'
import { rowFields, valueType } from '../base/scopes.ts'
import { sourceOf } from '../base/set-value.ts'
import type { CallRule, HookOutputs } from './hook-call.ts'

/** What is gone through: names bound to a row each, and how they are found. */
interface Loop {
  readonly scope: Scope
  /** Cells that the table follows from, beside those its expressions name. */
  readonly cells: readonly string[]
  /** The names of the rows, each with the prefix of the cells it stands for; undefined for rows of other records. */
  readonly names: ReadonlyMap<string, string | undefined>
  environments(doc: Doc, environment: Environment, reads: RuleReads): readonly Environment[]
}

interface Column {
  readonly field: Field
  readonly rule: CompiledRule
}

/**
 * Compiles `rows` of a table: one row for each of another table of the record that meets the condition, with the values
 * of `set`. It runs as a hook that gives rows would, so rows keep their ids and their own columns by their place.
 * Undefined for a mistake, which is reported.
 */
export function compileMadeRows(
  context: CompileContext,
  field: Field,
  path: RuleProblem['path'],
): CallRule | undefined {
  const made = field.rows!
  const at = [...path, 'rows']
  const loop = loopOf(context, field, made, at)
  if (!loop) return undefined
  const condition =
    made.if === undefined
      ? undefined
      : context.compile(made.if, loop.scope, CONDITION, [...at, 'if'])
  const columns = Object.entries(made.set).flatMap(([name, source]) =>
    columnOf(context, field, loop.scope, name, source, [...at, 'set', name]),
  )
  if (made.if !== undefined && !condition) return undefined
  const rules = [...(condition ? [condition] : []), ...columns.map(({ rule }) => rule)]
  return {
    inputs: [],
    cells: [...loop.cells, ...rules.flatMap((rule) => cellsOf(rule, loop))],
    isByPlace: false,
    columns: columns.map((column) => column.field),
    outputs: Object.fromEntries(
      columns.map(({ field: { name }, rule }) => [name, rule.expression]),
    ),
    run: (cell, environment, reads) =>
      loop
        .environments(cell as Doc, environment, reads)
        .filter((here) => !condition || condition.evaluate()(cell, here) === true)
        .map((here) => valuesOf(columns, cell as Doc, here)),
  }
}

function valuesOf(columns: readonly Column[], doc: Doc, environment: Environment): HookOutputs {
  return Object.fromEntries(
    columns.map(({ field, rule }) => [field.name, rule.evaluate()(doc, environment)]),
  ) as HookOutputs
}

function columnOf(
  { compile, problem, registry }: CompileContext,
  { child }: Field,
  scope: Scope,
  name: string,
  written: string,
  path: RuleProblem['path'],
): Column[] {
  const fields = child!.fields
  const field = fields.find((column) => column.name === name)
  if (!field) {
    problem(
      path,
      `no field ${JSON.stringify(name)} (have: ${fields.map((one) => one.name).join(', ')})`,
    )
    return []
  }
  const computed = (['formula', 'rollup', 'lookup', 'call', 'fetch'] as const).find(
    (key) => field[key] !== undefined,
  )
  if (computed !== undefined) {
    problem(path, `cannot be set: it has ${computed}`)
    return []
  }
  const { source, message } = sourceOf(written, { field, beside: fields }, registry, scope)
  if (message !== undefined) problem(path, message)
  const rule = source === undefined ? undefined : compile(source, scope, valueType(field), path)
  return rule ? [{ field, rule }] : []
}

function loopOf(
  context: CompileContext,
  { name }: Field,
  { each, as, within }: MadeRows,
  at: RuleProblem['path'],
): Loop | undefined {
  const { definition, problem, scopes } = context
  const own = scopes.of(definition)
  const source = definition.fields.find((field) => field.name === each)
  if (!source?.child || each === name) {
    problem([...at, 'each'], `expected another table of the record, got ${JSON.stringify(each)}`)
    return undefined
  }
  const rows: Loop = {
    scope: withRecord(own.document, as, rowFields(own, each)),
    cells: [each],
    names: new Map([[as, `${each}.`]]),
    environments: (doc, environment) => rowsOf(doc, each).map((row) => bound(environment, as, row)),
  }
  return within ? loopWithin(context, rows, source, within, as, [...at, 'within']) : rows
}

/** Goes on, in each row, through the rows of a table of the record that a link of the row names. */
function loopWithin(
  { registry, scopes, problem }: CompileContext,
  outer: Loop,
  source: Field,
  { each, as }: NonNullable<MadeRows['within']>,
  row: string,
  at: RuleProblem['path'],
): Loop | undefined {
  const [linkName = '', table = ''] = each.split('.')
  const link = source.child!.fields.find((column) => column.name === linkName)
  const target =
    link?.link === undefined || link.linkTable !== undefined
      ? undefined
      : registry.byDoctype(link.link)
  if (!target || !hasTable(target, table)) {
    const what = target
      ? `${target.doctype} has no table ${table}`
      : `${linkName} is no link of the row`
    problem(
      [...at, 'each'],
      `expected a link of the row, a dot and a table of the record behind it: ${what}`,
    )
    return undefined
  }
  const fields: Fields = rowFields(scopes.of(target), table)
  return {
    scope: withRecord(outer.scope, as, fields),
    cells: [...outer.cells, `${source.name}.${linkName}`],
    names: new Map([...outer.names, [as, undefined]]),
    environments: (doc, environment, reads) =>
      outer.environments(doc, environment, reads).flatMap((here) => {
        const named = (here.records[row] as Row)[linkName]
        const record =
          typeof named === 'string' && named !== ''
            ? reads.get(target.doctype, named, table)
            : undefined
        return record ? rowsOf(record, table).map((part) => bound(here, as, part)) : []
      }),
  }
}

const hasTable = ({ fields }: DocTypeDefinition, table: string): boolean =>
  fields.some(({ name, child }) => name === table && child !== undefined)

function bound(environment: Environment, name: string, row: Row): Environment {
  return { ...environment, records: { ...environment.records, [name]: row } }
}

/** Cells of the record that an expression of the loop names. */
function cellsOf({ expression }: CompiledRule, { names }: Loop): readonly string[] {
  return expression.dependencies.flatMap((name) => {
    const dot = name.indexOf('.')
    const head = dot < 0 ? '' : name.slice(0, dot)
    if (names.has(head)) {
      const prefix = names.get(head)
      return prefix === undefined ? [] : [prefix + name.slice(dot + 1)]
    }
    return head === 'old' || head === 'user' ? [] : [name]
  })
}
