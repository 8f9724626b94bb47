import { isFilledByHook, tableOfParent } from '../../definition/check/check-call.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { type Hook, type HookValue, isRows, type Shape } from '../../definition/model/hook.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { assignValue } from '../../expression/syntax/assign.ts'
import type { Fields } from '../../expression/tree/scope.ts'
import {
  CONDITION,
  type Environment,
  unsetValue,
  type ValueType,
} from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import { type Doc, type Row, rowsOf, valueIn } from '../../storage/database/document.ts'
import type { CompileContext, CompiledRule, RuleProblem } from '../base/compiled-rule.ts'
import { hookType } from '../base/hook-type.ts'
import type { RuleReads } from '../base/reads.ts'
import { valueType } from '../base/scopes.ts'
import { compileSearchRows } from './search-rows.ts'

/** Outputs of a hook by name: one record of them, or one for each row it gives. */
export type HookOutputs = Readonly<Record<string, HookValue | undefined>>

/** A compiled `call`. */
export interface CallRule {
  /** The expressions of its inputs, and its condition. */
  readonly inputs: readonly CompiledRule[]
  /**
   * Cells it reads: tables that are handed in with the columns read of them (`items`, `items.qty`), and those that
   * its queries are asked with.
   */
  readonly cells: readonly string[]
  /** Whether it is a column whose hook gives rows: called once, it gives each row the value of its place. */
  readonly isByPlace: boolean
  /** Columns that take outputs of their name; for a table. */
  readonly columns: readonly Field[]
  /** Type of each output. */
  readonly outputs: Readonly<Record<string, ValueType>>
  /** Runs the hook. Throws AppError for mistakes in user data, ExpressionError for numbers that cannot be kept. */
  run(cell: Doc | Row, environment: Environment, reads: RuleReads): readonly HookOutputs[]
}

/** Fields of the row for a hook that is called once for all rows: none, since it cannot look at one of them. */
const NO_FIELDS: Fields = new Map()

type Read = (cell: Doc | Row, environment: Environment, reads: RuleReads) => unknown

/** Compiles the call of a field. Mistakes in expressions go to the context's compiler; the loader found all others. */
export function compileCall(
  context: CompileContext,
  field: Field,
  table: string | undefined,
  path: RuleProblem['path'],
): CallRule | undefined {
  const call = field.call!
  const hook = context.registry.vocabulary.hooks.get(call.hook)
  if (!hook) return undefined
  const isByPlace = table !== undefined && hook.gives === 'rows'
  const given: [string, Read][] = []
  const inputs: CompiledRule[] = []
  const cells: string[] = []
  const scope = scopeOf(context, table)
  const here = isByPlace ? { ...scope, fields: NO_FIELDS } : scope
  const compile = (source: string, type: ValueType, at: readonly string[]) => {
    const rule = context.compile(source, here, type, [...path, 'call', ...at])
    if (rule) inputs.push(rule)
    return rule
  }
  for (const [name, kind] of Object.entries(hook.inputs)) {
    const source = call.with[name]
    if (source === undefined) continue
    if (typeof source !== 'string') {
      if (!isRows(kind)) return undefined
      const at = [...path, 'call', 'with', name]
      const search = compileSearchRows(context, source, kind, here, table, at)
      if (!search) return undefined
      cells.push(...search.reads)
      given.push([name, search.rows])
    } else if (isRows(kind)) {
      const rows = isByPlace ? (tableOfParent(source) ?? source) : source
      const columns = tableOf(context.definition, rows)
      if (!columns) return undefined
      const seen = columns.filter((column) => Object.hasOwn(kind.rows, column.name))
      cells.push(rows, ...seen.map((column) => `${rows}.${column.name}`))
      const read = recordReader(kind.rows, columns)
      given.push([
        name,
        (cell, { records }) => rowsOf((isByPlace ? records.parent : cell) as Doc, rows).map(read),
      ])
    } else {
      const type = hookType(kind)
      const rule = compile(source, type, ['with', name])
      if (!rule) return undefined
      given.push([name, valueReader(rule, type)])
    }
  }
  const condition = call.if === undefined ? undefined : compile(call.if, CONDITION, ['if'])
  const outputs = Object.entries(hook.outputs).map(
    ([name, kind]) => [name, hookType(kind)] as const,
  )
  return {
    inputs,
    cells,
    isByPlace,
    columns: field.child?.fields.filter((column) => isFilledByHook(hook.outputs, column)) ?? [],
    outputs: Object.fromEntries(outputs),
    run(cell, environment, reads) {
      if (condition && condition.evaluate()(cell, environment) !== true) return []
      const values = given.map(([name, read]) => [name, read(cell, environment, reads)] as const)
      return hook.run(Object.fromEntries(values), recordsOf(hook, context.registry, reads))
    },
  }
}

function tableOf({ fields }: DocTypeDefinition, name: string): readonly Field[] | undefined {
  return fields.find((field) => field.name === name)?.child?.fields
}

function scopeOf({ scopes, definition }: CompileContext, table: string | undefined) {
  const own = scopes.of(definition)
  return table === undefined ? own.document : own.rows.get(table)!
}

function valueReader(rule: CompiledRule, type: ReturnType<typeof hookType>): Read {
  return (cell, environment) =>
    assignValue(rule.evaluate()(cell, environment), rule.expression, type) ?? unsetValue(type.kind)
}

/** Reader of what a hook sees of a record or row, a row's `row_id` too; fields that the DocType lacks are undefined. */
function recordReader(
  shape: Shape,
  fields: readonly Field[],
): (record: Doc | Row) => Readonly<Record<string, unknown>> {
  const cells = Object.entries(shape).flatMap(
    ([name, kind]): [string, (record: Doc | Row) => unknown][] => {
      const field = fields.find((candidate) => candidate.name === name)
      if (name === 'row_id') return [[name, (record) => valueIn(record as Doc, name)]]
      if (!field) return []
      if (isRows(kind)) {
        const read = recordReader(kind.rows, field.child?.fields ?? [])
        return [[name, (record) => rowsOf(record as Doc, name).map(read)]]
      }
      const type = hookType(kind)
      const from = valueType(field)
      return [
        [
          name,
          (record) => {
            const value = valueIn(record as Doc, name)
            return (value === null ? null : assignValue(value, from, type)) ?? unsetValue(type.kind)
          },
        ],
      ]
    },
  )
  return (record) => Object.fromEntries(cells.map(([name, read]) => [name, read(record)]))
}

/** Records by name as a hook asks for them; what is not read yet is answered as not there. */
function recordsOf(hook: Hook, registry: Registry, reads: RuleReads): Parameters<Hook['run']>[1] {
  return (doctype, name) => {
    const shape = hook.reads[doctype]
    const definition = registry.byDoctype(doctype)
    if (!shape || !definition || name === '') return undefined
    const tables = Object.keys(shape).filter(
      (field) => isRows(shape[field]!) && tableOf(definition, field) !== undefined,
    )
    const doc = reads.get(doctype, name, tables[0])
    const complete = tables.slice(1).every((table) => reads.get(doctype, name, table))
    return doc && complete ? recordReader(shape, definition.fields)(doc) : undefined
  }
}
