import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { sqlProblem } from '../../expression/sql/to-sql.ts'
import { clockOf } from '../../expression/tree/analyse.ts'
import { CONDITION, isNumeric, type ValueType } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import type { Value } from '../../fields/field-type.ts'
import type { DatabaseKind, Db } from '../../storage/database/database.ts'
import {
  type Compiled,
  type CompiledRule,
  compileContext,
  type RuleProblem,
  type RuleSite,
} from '../base/compiled-rule.ts'
import { valueType } from '../base/scopes.ts'
import { columnsOfSource } from '../base/source-rows.ts'
import { createRollupOfKey } from './rollup-of-key.ts'
import type { RollupPlan } from './rollup-plan.ts'

const TEXT: ValueType = { kind: 'str', scale: 0 }

/** A rollup field of a DocType, or of the rows of its `table`; compiled at its first use. */
export interface DeclaredRollup {
  readonly table: string | undefined
  readonly field: Field
  compiled(): Compiled<RollupPlan | undefined>
}

/** The rollups of a registry by the DocType they are kept from. */
export interface Rollups {
  keptFrom(source: DocTypeDefinition): readonly RollupPlan[]
  /**
   * The rollups of a new record that may have sources already: those whose key is no link, so that it could be
   * written down before the record was there.
   */
  olderThan(target: DocTypeDefinition): readonly RollupPlan[]
  /** The value of one key from the rows themselves, for when the smallest or largest one went away. */
  ofKey(tx: Db, plan: RollupPlan, key: string): Promise<Value>
}

export function createRollups(
  registry: Registry,
  rollupsOf: (target: DocTypeDefinition) => readonly DeclaredRollup[],
  kind: DatabaseKind,
): Rollups {
  const rollupOfKey = createRollupOfKey()
  const declared = new Map<string, DeclaredRollup[]>()
  for (const target of registry.all) {
    for (const rollup of rollupsOf(target)) {
      const [source = ''] = rollup.field.rollup!.from.split('.')
      const list = declared.get(source)
      if (list) list.push(rollup)
      else declared.set(source, [rollup])
    }
  }
  const compiled = new Map<string, readonly RollupPlan[]>()
  const older = new Map<string, readonly RollupPlan[]>()
  return {
    keptFrom({ doctype }) {
      const known = compiled.get(doctype)
      if (known) return known
      const plans = (declared.get(doctype) ?? []).flatMap(({ compiled }) => compiled().plan ?? [])
      compiled.set(doctype, plans)
      return plans
    },
    olderThan(target) {
      const known = older.get(target.doctype)
      if (known) return known
      const plans = rollupsOf(target).flatMap(({ table, compiled }) => {
        const plan = table === undefined ? compiled().plan : undefined
        return plan && !isKeyedByLink(plan) ? [plan] : []
      })
      older.set(target.doctype, plans)
      return plans
    },
    ofKey: (tx, plan, key) => rollupOfKey(tx, kind, plan, key),
  }
}

/** Whether the key of a rollup is a link, which always names a record that is there. */
function isKeyedByLink({ source, sourceTable, field: { rollup } }: RollupPlan): boolean {
  const fields =
    sourceTable === undefined
      ? source.fields
      : source.fields.find(({ name }) => name === sourceTable)?.child?.fields
  const named = (name: string | undefined): Field | undefined =>
    fields?.find((field) => field.name === name)
  const said = named(rollup?.match)
  // A field that only says what another one does names what that names.
  const key = named(said?.formula) ?? said
  return key?.link !== undefined || key?.linkFrom !== undefined
}

/** Compiles one rollup of the site's DocType, or of the rows of its table. */
export function compileRollup(
  site: RuleSite,
  targetTable: string | undefined,
  field: Field,
): Compiled<RollupPlan | undefined> {
  const { definition: target, registry, scopes } = site
  const problems: RuleProblem[] = []
  const { compile, problem } = compileContext(site, problems)
  const rollup = field.rollup!
  const path = [
    'fields',
    ...(targetTable === undefined ? [] : [targetTable, 'fields']),
    field.partOf ?? field.name,
    'rollup',
  ]
  const [name = '', sourceTable] = rollup.from.split('.')
  const source = registry.byDoctype(name)
  const own = source && scopes.of(source)
  const scope = own && (sourceTable === undefined ? own.document : own.rows.get(sourceTable))
  if (!source || !scope) return { plan: undefined, problems }
  const type = valueType(field)
  const match = compile(rollup.match, scope, TEXT, [...path, 'match'])
  const value =
    rollup.value === undefined
      ? undefined
      : compile(rollup.value, scope, type, [...path, rollup.operation])
  const where =
    rollup.where === undefined
      ? undefined
      : compile(rollup.where, scope, CONDITION, [...path, 'where'])
  const columns = columnsOfSource({ source, sourceTable })
  for (const [key, rule] of [
    ['match', match],
    [rollup.operation, value],
    ['where', where],
  ] as const) {
    if (!rule) continue
    const { source: text, tree } = rule.expression
    const moving = movingPart(rule)
    if (moving !== undefined) {
      const message = `a rollup is kept by deltas, so it cannot read ${moving}, which changes without a write`
      problem([...path, key], message, text)
    }
    const refused = sqlProblem(tree, columns)
    if (refused) problem([...path, key], refused.message, text, refused.offset)
  }
  if (type.kind === 'bool') {
    const message = `a rollup has no value for a field of the type ${field.type}; use a formula over a count`
    problem([...path, rollup.operation], message)
  }
  if ((rollup.operation === 'sum' || rollup.operation === 'count') && !isNumeric(type.kind)) {
    const message = `${rollup.operation} needs a field of numbers, got ${field.type}`
    problem([...path, rollup.operation], message)
  }
  if (!match || problems.length > 0) return { plan: undefined, problems }
  const { operation } = rollup
  const plan = {
    target,
    targetTable,
    field,
    type,
    operation,
    source,
    sourceTable,
    match,
    value,
    where,
  }
  return { plan, problems }
}

/** Name that an expression reads and that is not stored with the source: it would change without a delta. */
function movingPart({ expression }: CompiledRule): string | undefined {
  const clock = clockOf(expression.tree)
  if (clock) return `${clock}()`
  const other = expression.dependencies.find(
    (name) => name.startsWith('old.') || name.startsWith('user.'),
  )
  return other?.split('.')[0]
}
