import { knownTo } from '../../access/known-to.ts'
import { validationError } from '../../base/errors.ts'
import { compareText } from '../../expression/run/runtime.ts'
import type { Value } from '../../fields/field-type.ts'
import { isPublic, publicDetails } from '../../fields/public-fields.ts'
import { isMadeBy, toldBy, toldByRow, toldFields } from '../../rules/rollups/made-record.ts'
import { deltasOf, foldDeltas, type RollupDelta } from '../../rules/rollups/rollup-delta.ts'
import { cloneDoc, type Doc, type Row, rowsOf } from '../../storage/database/document.ts'
import { lockKey } from '../../storage/database/key-lock.ts'
import { ownersOfRows } from '../../storage/finding/rows-by-id.ts'
import { changedCells } from './changed-cells.ts'
import type { DocTypeParts } from './context.ts'
import type { Touched } from './touched.ts'
import { addWaiting } from './unfilled-values.ts'
import { keyOf, lockFollower, noteWrite, type Work, type Written } from './work.ts'
import { startFromRows, startRecord, updateRecord } from './write-record.ts'

type Delta = RollupDelta & Pick<Written, 'isPassed'>

/** The deltas of one target record. */
interface Touch {
  readonly parts: DocTypeParts
  readonly name: string
  readonly deltas: Delta[]
}

/**
 * Brings what follows from writes up to date: the rollups they feed, the formulas and statuses over those, the
 * rollups over these, level by level until nothing changes; a cycle is refused at load, so it ends. Records are
 * locked in the order of their keys, so that writers meet in one order (rules.md §4.3). Throws VALIDATION_ERROR
 * when a touched record no longer holds; the whole transaction goes back then.
 */
export async function cascade(work: Work, writes: readonly Written[]): Promise<void> {
  let level = writes
  while (level.length > 0) {
    const touches = await touchesOf(work, deltasOfWrites(work, level))
    const next: Written[] = []
    for (const touch of touches) {
      const written = await applyTouch(work, touch)
      if (written) next.push(written)
    }
    level = next
  }
}

function deltasOfWrites(work: Work, writes: readonly Written[]): readonly Delta[] {
  const { rollups } = work.context.services
  return writes.flatMap(({ parts, before, after, isPassed }): readonly Delta[] => {
    const plans = rollups.keptFrom(parts.definition)
    const deltas = plans.length === 0 ? [] : deltasOf(plans, before, after)
    return isPassed ? deltas.map((delta) => ({ ...delta, isPassed })) : deltas
  })
}

/** Deltas by the record they change, in the order of DocType and name. */
async function touchesOf(work: Work, deltas: readonly Delta[]): Promise<readonly Touch[]> {
  if (deltas.length === 0) return []
  const touches = new Map<string, Touch>()
  const names = await namesOfRows(work, deltas)
  for (const delta of deltas) {
    const { target, targetTable } = delta.plan
    const name = targetTable === undefined ? delta.key : names.get(rowKey(delta))
    // A key that names nothing, or a row of nothing, is kept nowhere.
    if (name === undefined) continue
    const parts = work.context.services.partsOf(target)
    const key = keyOf(parts, name)
    const known = touches.get(key)
    if (known) known.deltas.push(delta)
    else touches.set(key, { parts, name, deltas: [delta] })
  }
  return [...touches].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, touch]) => touch)
}

function rowKey({ plan: { target, targetTable }, key }: RollupDelta): string {
  return `${target.table}__${targetTable}\0${key}`
}

/** Names of the records whose rows are named by their `row_id`. */
async function namesOfRows(
  { tx }: Work,
  deltas: readonly RollupDelta[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  const ofRows = deltas.filter(({ plan }) => plan.targetTable !== undefined)
  const byTable = Map.groupBy(
    ofRows,
    ({ plan: { target, targetTable } }) => `${target.table}__${targetTable}`,
  )
  for (const [child, list] of byTable) {
    const { table } = list[0]!.plan.target
    const owners = await ownersOfRows(tx, { table, child }, [
      ...new Set(list.map(({ key }) => key)),
    ])
    for (const [row_id, name] of owners) names.set(`${child}\0${row_id}`, name)
  }
  return names
}

async function applyTouch(work: Work, touch: Touch): Promise<Written | undefined> {
  const { parts, deltas } = touch
  const { upsertFrom } = parts.definition.behaviour
  const entry =
    (await lockFollower(work, parts, touch.name)) ??
    (upsertFrom === undefined ? undefined : await makeRecord(work, touch))
  const before = entry?.current
  if (!entry || !before) return undefined
  const after = cloneDoc(before)
  await addWaiting(work.tx, work.context.services, work.waiting, parts, after)
  if (upsertFrom !== undefined) fillFromRows(touch, after)
  for (const delta of foldDeltas(deltas)) await applyDelta(work, parts, after, delta)
  await recompute(work, entry, before, after)
  return { parts, before, after: entry.current }
}

/**
 * Computes formulas, status and checks of a record of which a stored value changed; writes it when anything differs.
 * Throws VALIDATION_ERROR when a check over what changed fails.
 */
export async function recompute(
  work: Work,
  { parts }: Touched,
  before: Doc,
  after: Doc,
): Promise<boolean> {
  const { rules } = parts.behaviour
  const { environment, reads } = work
  const failures = rules.recompute(after, before, environment)
  const changed = changedCells(parts.definition, before, after)
  if (changed.size === 0 && failures.length === 0) return false
  let problems = rules.problemsOf(changed, after, before, reads, environment)
  while (await reads.fill()) problems = rules.problemsOf(changed, after, before, reads, environment)
  const all = [...failures, ...problems]
  if (all.length > 0) {
    const of = `${parts.definition.label} ${before.name}`
    throw validationError(
      publicDetails(knownTo(work.context, parts.definition), all).map(({ field, message }) => ({
        field,
        message: `${of}: ${message}`,
        code: 'rule',
      })),
    )
  }
  await updateRecord(work, parts, before, after)
  noteWrite(work, parts, before, after, 'updated')
  return true
}

async function applyDelta(work: Work, parts: DocTypeParts, doc: Doc, delta: Delta): Promise<void> {
  const { plan, key } = delta
  const { rollups } = work.context.services
  const { field, targetTable, operation } = plan
  const cell: Doc | Row | undefined =
    targetTable === undefined ? doc : rowsOf(doc, targetTable).find(({ row_id }) => row_id === key)
  if (!cell) return
  const record = keyOf(parts, doc.name)
  if (
    work.younger.has(record) &&
    plan.source.doctype !== work.younger.get(record) &&
    rollups.olderThan(parts.definition).some((one) => one.field.name === field.name)
  ) {
    cell[field.name] = await rollups.ofKey(work.tx, plan, key)
    return
  }
  // What is stored may be nothing, or what another definition has added up: all of it was added up anew (addWaiting).
  if (work.waiting.has(parts.definition, targetTable, field.name)) return
  const stored = (cell[field.name] ?? null) as Value
  if (operation === 'sum' || operation === 'count') {
    cell[field.name] = added(
      plan.type.kind,
      stored,
      delta.amount,
      isPublic(field) ? field.label : '',
    )
    return
  }
  const best = delta.added.reduce<Value>((kept, value) => better(operation, kept, value), stored)
  const lost = delta.isPassed || delta.removed.some((value) => value === stored || value === best)
  // The extreme went away: only the rows themselves know the next one.
  cell[field.name] = lost ? await rollups.ofKey(work.tx, plan, key) : best
}

const INT64_MAX = 2n ** 63n - 1n

function added(kind: string, stored: Value, amount: bigint | number, label: string): Value {
  if (kind === 'int') return Number(stored ?? 0) + Number(amount)
  const sum = ((stored ?? 0n) as bigint) + BigInt(amount)
  if (sum > INT64_MAX || sum < -INT64_MAX)
    throw validationError([
      { field: label, message: 'the sum is too large to keep', code: 'out_of_range' },
    ])
  return sum
}

function better(operation: 'min' | 'max', kept: Value, value: bigint | number | string): Value {
  if (kept === null) return value
  const isLess =
    typeof value === 'string'
      ? compareText(value, String(kept)) < 0
      : value < (kept as bigint | number)
  return isLess === (operation === 'min') ? value : kept
}

/** Sets what is still empty in a record that rows make, as who made it did not know it. */
function fillFromRows({ parts: { definition }, deltas }: Touch, doc: Doc): void {
  if (definition.behaviour.madeBy === undefined) return
  const empty = toldFields(definition).filter((field) => (doc[field] ?? null) === null)
  for (const { plan, source, cell } of empty.length === 0 ? [] : deltas) {
    if (!cell || !isMadeBy(definition, plan.source)) continue
    for (const field of empty) doc[field] ??= toldBy(field, source, cell)
  }
}

/**
 * A record that rows make, as the first with its key (rules.md §4.1, upsert_from, made_by): its fields of the
 * same name come from that row. undefined when no such row is among what touches it: it waits.
 */
async function makeRecord(
  work: Work,
  { parts, name, deltas }: Touch,
): Promise<Touched | undefined> {
  const { definition, behaviour } = parts
  const { services } = work.context
  if (services.database.kind === 'postgres') {
    // Whoever else wants the record, or has rows that it will start from, waits here until we commit.
    await lockKey(work.tx, 'postgres', `${definition.doctype}/${name}`)
    const found = await lockFollower(work, parts, name)
    if (found) return found
  }
  const { upsertFrom } = definition.behaviour
  const makers = deltas.filter(({ plan, cell }) => cell && isMadeBy(definition, plan.source))
  const made = makers.find(({ plan }) => plan.source.doctype === upsertFrom) ?? makers[0]
  if (!made) return undefined
  const told = toldByRow(definition, name, made.source, made.cell!)
  const wanted = { ...parts.store.empty(), ...Object.fromEntries(told) }
  for (;;) {
    const doc = cloneDoc(wanted)
    behaviour.rules.compute(doc, undefined, work.reads, work.environment)
    if (await work.reads.fill()) continue
    startRecord(work, doc)
    doc.name = name
    await startFromRows(work, parts, doc, made.plan.source.doctype === upsertFrom ? upsertFrom : '')
    await parts.store.insert(work.tx, doc)
    await services.search.insert(work.tx, definition, doc)
    return noteWrite(work, parts, undefined, doc, 'created')
  }
}
