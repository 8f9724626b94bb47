import { assignValue } from '../../expression/syntax/assign.ts'
import type { Environment } from '../../expression/tree/types.ts'
import { type Doc, type Row, rowsOf } from '../../storage/database/document.ts'
import { NO_ENVIRONMENT } from '../base/sql-parts.ts'
import type { RollupPlan } from './rollup-plan.ts'

/** Contribution of one source (a document or row) to one key of a rollup. */
export interface Contribution {
  readonly key: string
  readonly value: bigint | number | string
  /** The document or row. */
  readonly cell: Doc | Row
}

/** Contributions of a document (or its rows) to a rollup; none while it does not exist. */
export function contributionsOf(plan: RollupPlan, doc: Doc | undefined): readonly Contribution[] {
  if (!doc) return []
  const found: Contribution[] = []
  if (plan.sourceTable === undefined) {
    contribute(plan, doc, NO_ENVIRONMENT, found)
    return found
  }
  const environment = { ...NO_ENVIRONMENT, records: { parent: doc } }
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
    found.push({ key, value: 1, cell })
    return
  }
  const given = value!.evaluate()(cell, environment)
  const kept = assignValue(given, value!.expression, type)
  // An unset date or text is no smallest and no largest one.
  if (kept === null || typeof kept === 'boolean') return
  found.push({ key, value: kept, cell })
}

/** Change of one key of a rollup. */
export interface RollupDelta {
  readonly plan: RollupPlan
  readonly key: string
  /** Amount to add, for sum and count. */
  readonly amount: bigint | number
  /** Values that came and, in `removed`, that went; for min and max. */
  readonly added: readonly (bigint | number | string)[]
  readonly removed: readonly (bigint | number | string)[]
  /** The source that first named the key, for records that rows make; its `cell` is the row that did, if one does now. */
  readonly source: Doc
  readonly cell: Doc | Row | undefined
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
    const [only] = now
    if (only && now.length === 1 && old.length === 0) {
      deltas.push(deltaOf(plan, only.key, now, old, (after ?? before)!)!)
      continue
    }
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
  const cell = added[0]?.cell
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
    return { plan, key, amount: 0, added: came, removed: went, source, cell }
  }
  const amount = difference(added, removed)
  // A key that is named for the first time may need a record even where the amount is 0.
  if (Number(amount) === 0 && (added.length === 0 || removed.length > 0)) return undefined
  return { plan, key, amount, added: [], removed: [], source, cell }
}

/**
 * Deltas of which those of one key of a rollup are one, in the order of the first of each: as good as one after the other where
 * what has gone is compared with all that came.
 */
export function foldDeltas<Delta extends RollupDelta & { readonly isPassed?: boolean }>(
  deltas: readonly Delta[],
): readonly Delta[] {
  const byPlan = new Map<RollupPlan, Map<string, Delta[]>>()
  for (const delta of deltas) {
    const byKey = byPlan.get(delta.plan) ?? new Map<string, Delta[]>()
    byPlan.set(delta.plan, byKey)
    const same = byKey.get(delta.key)
    if (same) same.push(delta)
    else byKey.set(delta.key, [delta])
  }
  return [...byPlan.values()].flatMap((byKey) => [...byKey.values()].map(folded))
}

function folded<Delta extends RollupDelta & { readonly isPassed?: boolean }>(
  same: readonly Delta[],
): Delta {
  const [first] = same
  if (same.length === 1) return first!
  let amount = first!.amount
  for (const delta of same.slice(1))
    amount =
      typeof amount === 'bigint' || typeof delta.amount === 'bigint'
        ? BigInt(amount) + BigInt(delta.amount)
        : amount + delta.amount
  return {
    ...first!,
    ...(same.some(({ isPassed }) => isPassed) && { isPassed: true }),
    amount,
    added: same.flatMap(({ added }) => added),
    removed: same.flatMap(({ removed }) => removed),
  }
}

function difference(
  added: readonly Contribution[],
  removed: readonly Contribution[],
): bigint | number {
  const scaled = [...added, ...removed].some(({ value }) => typeof value === 'bigint')
  if (scaled) return total(added) - total(removed)
  const whole = (side: readonly Contribution[]): number =>
    side.reduce((sum, { value }) => sum + Number(value), 0)
  return whole(added) - whole(removed)
}

function total(side: readonly Contribution[]): bigint {
  return side.reduce((sum, { value }) => sum + BigInt(value), 0n)
}
