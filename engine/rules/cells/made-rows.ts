import { pathOfRows } from '../../definition/normalise/normalise-sources.ts'
import { assignValue } from '../../expression/syntax/assign.ts'
import type { Scope } from '../../expression/tree/scope.ts'
import { CONDITION, type Environment } from '../../expression/tree/types.ts'
import type { Field, MadeRows } from '../../fields/field.ts'
import type { Doc } from '../../storage/database/document.ts'
import type { CompileContext, CompiledRule, RuleProblem } from '../base/compiled-rule.ts'
import { valueType } from '../base/scopes.ts'
import { sourceOf } from '../base/set-value.ts'
import type { CallRule, HookOutputs } from './hook-call.ts'
import { type Loop, loopOf } from './made-loop.ts'

interface Column {
  readonly field: Field
  readonly rule: CompiledRule
}

/** A source of rows, compiled. */
interface Source {
  readonly columns: readonly Column[]
  readonly cells: readonly string[]
  run: CallRule['run']
}

/**
 * Compiles `rows` of a table: one row for each of another table of the record that meets the condition, with the values
 * of `set`; of several sources one behind the other. It runs as a hook that gives rows would, so rows keep their ids and
 * their own columns by their place. Undefined for a mistake, which is reported.
 */
export function compileMadeRows(
  context: CompileContext,
  field: Field,
  path: RuleProblem['path'],
): CallRule | undefined {
  const written = field.rows!
  const compiled = written.map((made) =>
    compileSource(context, field, made, pathOfRows(path, made)),
  )
  const sources = compiled.filter((source) => source !== undefined)
  if (sources.length < written.length) return undefined
  const columns = new Map<string, Column[]>()
  for (const column of sources.flatMap((source) => source.columns))
    columns.set(column.field.name, [...(columns.get(column.field.name) ?? []), column])
  // Values of one column that come of several expressions are made alike, as the column has them.
  const isAlike = sources.length > 1
  return {
    inputs: [],
    cells: sources.flatMap(({ cells }) => cells),
    isByPlace: false,
    columns: [...columns.values()].map(([first]) => first!.field),
    outputs: Object.fromEntries(
      [...columns].map(([name, [first]]) => [
        name,
        isAlike ? valueType(first!.field) : first!.rule.expression,
      ]),
    ),
    run: (cell, environment, reads) =>
      sources.flatMap((source) => {
        const rows = source.run(cell, environment, reads)
        return isAlike ? rows.map((row) => alike(source.columns, row)) : rows
      }),
  }
}

function alike(columns: readonly Column[], row: HookOutputs): HookOutputs {
  return Object.fromEntries(
    columns.flatMap(({ field, rule }) => {
      const value = row[field.name]
      if (value === undefined || value === '') return []
      return [[field.name, assignValue(value, rule.expression, valueType(field)) ?? '']]
    }),
  )
}

function compileSource(
  context: CompileContext,
  field: Field,
  made: MadeRows,
  at: RuleProblem['path'],
): Source | undefined {
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
    columns,
    cells: [...loop.cells, ...rules.flatMap((rule) => cellsOf(rule, loop))],
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
