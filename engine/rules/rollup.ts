import type { DocTypeDefinition, Field, Rollup } from '../definition/definition.ts'
import type { Registry } from '../definition/registry.ts'
import { clockOf } from '../expression/analyse.ts'
import { assignValue } from '../expression/assign.ts'
import { sqlProblem } from '../expression/to-sql.ts'
import type { Environment, ValueType } from '../expression/types.ts'
import { isNumeric } from '../expression/types.ts'
import type { Value } from '../fields/field-type.ts'
import type { DatabaseKind, Db } from '../storage/database.ts'
import { type Doc, type Row, rowsOf } from '../storage/document.ts'
import { columnsOfSource, createRollupOfKey } from './rollup-of-key.ts'
import { type Scopes, valueType } from './scopes.ts'
import { type CompiledRule, type RuleProblem, ruleCompiler } from './steps.ts'

/** A rollup field with its expressions compiled: what it is kept from, and where it is kept. */
export interface RollupPlan {
  readonly target: DocTypeDefinition
  /** Table of the target whose rows hold the field; the key is then a `row_id`, else a record's name. */
  readonly targetTable: string | undefined
  readonly field: Field
  readonly type: ValueType
  readonly operation: Rollup['operation']
  readonly source: DocTypeDefinition
  readonly sourceTable: string | undefined
  readonly match: CompiledRule
  readonly value: CompiledRule | undefined
  readonly where: CompiledRule | undefined
}

/** What one source gives to one key of a rollup. */
export interface Contribution {
  readonly key: string
  readonly value: bigint | number | string
}

const TEXT: ValueType = { kind: 'str', scale: 0 }
const CONDITION: ValueType = { kind: 'bool', scale: 0 }

/** A rollup as it is declared, found by the DocType it is kept from. */
interface Declared {
  readonly target: DocTypeDefinition
  readonly targetTable: string | undefined
  readonly field: Field
}

/** The rollups of a registry by the DocType they are kept from; each is compiled at its first use. */
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

export function createRollups(registry: Registry, scopes: Scopes, kind: DatabaseKind): Rollups {
  const rollupOfKey = createRollupOfKey()
  const declared = new Map<string, Declared[]>()
  for (const target of registry.all) {
    for (const { table, field } of rollupFields(target)) {
      const [source = ''] = field.rollup!.from.split('.')
      const list = declared.get(source)
      const entry = { target, targetTable: table, field }
      if (list) list.push(entry)
      else declared.set(source, [entry])
    }
  }
  const compiled = new Map<string, readonly RollupPlan[]>()
  const older = new Map<string, readonly RollupPlan[]>()
  return {
    keptFrom({ doctype }) {
      const known = compiled.get(doctype)
      if (known) return known
      const plans = (declared.get(doctype) ?? []).flatMap(({ target, targetTable, field }) => {
        const plan = compileRollup(registry, scopes, target, targetTable, field).plan
        return plan ? [plan] : []
      })
      compiled.set(doctype, plans)
      return plans
    },
    olderThan(target) {
      const known = older.get(target.doctype)
      if (known) return known
      const plans = target.fields.flatMap((field) => {
        if (!field.rollup) return []
        const { plan } = compileRollup(registry, scopes, target, undefined, field)
        return plan && !isKeyedByLink(plan) ? [plan] : []
      })
      older.set(target.doctype, plans)
      return plans
    },
    ofKey: (tx, plan, key) => rollupOfKey(tx, kind, plan, key),
  }
}

/** A link always names a record that is there. */
function isKeyedByLink({ source, sourceTable, field: { rollup } }: RollupPlan): boolean {
  const fields =
    sourceTable === undefined
      ? source.fields
      : source.fields.find(({ name }) => name === sourceTable)?.child?.fields
  const key = fields?.find(({ name }) => name === rollup?.match)
  return key?.link !== undefined || key?.linkFrom !== undefined
}

/** The rollup fields of a DocType, those of its rows too. */
export function rollupFields({
  fields,
}: DocTypeDefinition): readonly { readonly table: string | undefined; readonly field: Field }[] {
  return fields.flatMap((field) => [
    ...(field.rollup ? [{ table: undefined, field }] : []),
    ...(field.child?.fields ?? [])
      .filter(({ rollup }) => rollup !== undefined)
      .map((column) => ({ table: field.name, field: column })),
  ])
}

/** Compiles one rollup; every mistake is returned with its path in the target's YAML. */
export function compileRollup(
  registry: Registry,
  scopes: Scopes,
  target: DocTypeDefinition,
  targetTable: string | undefined,
  field: Field,
): { readonly plan: RollupPlan | undefined; readonly problems: readonly RuleProblem[] } {
  const problems: RuleProblem[] = []
  const compile = ruleCompiler(problems)
  const rollup = field.rollup!
  const path = [
    'fields',
    ...(targetTable === undefined ? [] : [targetTable, 'fields']),
    field.name,
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
  for (const [key, rule] of [
    ['match', match],
    [rollup.operation, value],
    ['where', where],
  ] as const) {
    const moving = rule && movingPart(rule)
    if (moving === undefined) continue
    const message = `a rollup is kept by deltas, so it cannot read ${moving}, which changes without a write`
    problems.push({ path: [...path, key], source: rule!.expression.source, offset: 0, message })
  }
  for (const [key, rule] of [
    ['match', match],
    [rollup.operation, value],
    ['where', where],
  ] as const) {
    const origin = { source, sourceTable }
    const problem = rule && sqlProblem(rule.expression.tree, columnsOfSource(origin))
    if (!problem) continue
    const { offset, message } = problem
    problems.push({ path: [...path, key], source: rule.expression.source, offset, message })
  }
  if (type.kind === 'bool') {
    const message = `a rollup has no value for a field of the type ${field.type}; use a formula over a count`
    problems.push({ path: [...path, rollup.operation], source: '', offset: 0, message })
  }
  if ((rollup.operation === 'sum' || rollup.operation === 'count') && !isNumeric(type.kind)) {
    const message = `${rollup.operation} needs a field of numbers, got ${field.type}`
    problems.push({ path: [...path, rollup.operation], source: '', offset: 0, message })
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

/** What an expression reads that is not stored with the source: it would change without a delta. */
function movingPart({ expression }: CompiledRule): string | undefined {
  const clock = clockOf(expression.tree)
  if (clock) return `${clock}()`
  const other = expression.dependencies.find(
    (name) => name.startsWith('old.') || name.startsWith('user.'),
  )
  return other?.split('.')[0]
}

const NO_MOMENT = { today: '', now: '' }

/** What a document (or its rows) gives to a rollup; nothing while it does not exist. */
export function contributionsOf(plan: RollupPlan, doc: Doc | undefined): readonly Contribution[] {
  if (!doc) return []
  const found: Contribution[] = []
  if (plan.sourceTable === undefined) {
    contribute(plan, doc, { ...NO_MOMENT, records: {} }, found)
    return found
  }
  const environment = { ...NO_MOMENT, records: { parent: doc } }
  for (const row of rowsOf(doc, plan.sourceTable)) contribute(plan, row, environment, found)
  return found
}

function contribute(
  { match, where, value, operation, type }: RollupPlan,
  cell: Doc | Row,
  environment: Environment,
  found: Contribution[],
): void {
  if (where && where.evaluate()(cell, environment) !== true) return
  const key = match.evaluate()(cell, environment)
  if (typeof key !== 'string' || key === '') return
  if (operation === 'count') {
    found.push({ key, value: 1 })
    return
  }
  const given = value!.evaluate()(cell, environment)
  const kept = assignValue(given, value!.expression, type)
  // An unset date or text is no smallest and no largest one.
  if (kept === null || typeof kept === 'boolean') return
  found.push({ key, value: kept })
}

/** How one key of a rollup changes. */
export interface RollupDelta {
  readonly plan: RollupPlan
  readonly key: string
  /** sum and count: what to add. */
  readonly amount: bigint | number
  /** min and max: values that came and went. */
  readonly added: readonly (bigint | number | string)[]
  readonly removed: readonly (bigint | number | string)[]
  /** The source that first named the key, for records that a ledger makes. */
  readonly source: Doc
}

/** The deltas of a write: contribution after − contribution before, for every key that changed. */
export function deltasOf(
  plans: readonly RollupPlan[],
  before: Doc | undefined,
  after: Doc | undefined,
): RollupDelta[] {
  const deltas: RollupDelta[] = []
  for (const plan of plans) {
    const old = contributionsOf(plan, before)
    const now = contributionsOf(plan, after)
    if (old.length === 0 && now.length === 0) continue
    const byKey = new Map<string, { added: Contribution[]; removed: Contribution[] }>()
    for (const one of now) sidesOf(byKey, one.key).added.push(one)
    for (const one of old) sidesOf(byKey, one.key).removed.push(one)
    for (const [key, { added, removed }] of byKey) {
      const delta = deltaOf(plan, key, added, removed, (after ?? before)!)
      if (delta) deltas.push(delta)
    }
  }
  return deltas
}

interface Sides {
  readonly added: Contribution[]
  readonly removed: Contribution[]
}

function sidesOf(byKey: Map<string, Sides>, key: string): Sides {
  const known = byKey.get(key)
  if (known) return known
  const made = { added: [], removed: [] }
  byKey.set(key, made)
  return made
}

function deltaOf(
  plan: RollupPlan,
  key: string,
  added: readonly Contribution[],
  removed: readonly Contribution[],
  source: Doc,
): RollupDelta | undefined {
  if (plan.operation === 'min' || plan.operation === 'max') {
    const came = added.map(({ value }) => value)
    const went = removed.map(({ value }) => value)
    // What stays the same neither comes nor goes.
    for (const value of [...went]) {
      const at = came.indexOf(value)
      if (at < 0) continue
      came.splice(at, 1)
      went.splice(went.indexOf(value), 1)
    }
    if (came.length === 0 && went.length === 0) return undefined
    return { plan, key, amount: 0, added: came, removed: went, source }
  }
  const amount = difference(added, removed)
  // A key that is named for the first time may need a record even where the amount is 0.
  if (Number(amount) === 0 && (added.length === 0 || removed.length > 0)) return undefined
  return { plan, key, amount, added: [], removed: [], source }
}

function difference(
  added: readonly Contribution[],
  removed: readonly Contribution[],
): bigint | number {
  const scaled = [...added, ...removed].some(({ value }) => typeof value === 'bigint')
  if (scaled) return total(added, BigInt) - total(removed, BigInt)
  const whole = (side: readonly Contribution[]): number =>
    side.reduce((sum, { value }) => sum + Number(value), 0)
  return whole(added) - whole(removed)
}

function total(side: readonly Contribution[], convert: (value: bigint) => bigint): bigint {
  return side.reduce((sum, { value }) => sum + convert(value as bigint), 0n)
}
