import { SYSTEM_ACTOR } from '../../access/actor.ts'
import { isoDateTime } from '../../base/clock.ts'
import type { Detail } from '../../base/errors.ts'
import { runFragment } from '../../rules/base/sql-parts.ts'
import { toldByRow } from '../../rules/rollups/made-record.ts'
import { contributionsOf } from '../../rules/rollups/rollup-delta.ts'
import { type RollupPlan, runsOf } from '../../rules/rollups/rollup-plan.ts'
import { type MissingTarget, rollupQueries } from '../../rules/rollups/rollup-query.ts'
import type { Db } from '../../storage/database/database.ts'
import { cloneDoc, type Doc } from '../../storage/database/document.ts'
import { lockTable } from '../../storage/database/key-lock.ts'
import { namesOfRids } from '../../storage/finding/record-names.ts'
import { recordPages } from '../../storage/records/record-pages.ts'
import type { DocTypeParts, Services } from '../work/context.ts'
import { createReads } from '../work/reads.ts'
import type { ComputedCells } from './verify-cells.ts'
import { computedAnew, madeSourcesOf } from './verify-made.ts'
import { eachLocked, judge, suspectsOf } from './verify-records.ts'
import type { Repair } from './verify-report.ts'
import { makesRecords, rollupName } from './verify-rollups.ts'

const PAGE = 500

type CellsOf = (parts: DocTypeParts) => ComputedCells

/**
 * Computes formulas and statuses again where they may be written: in drafts and master data, and in submitted
 * documents where nothing else differs than what follows from rollups. The amounts of a submitted document are
 * left to a person: its postings were made from them (rules.md §4.5). Returns the rids of those it changed.
 */
export async function repairRecords(
  services: Services,
  parts: DocTypeParts,
  computed: ComputedCells,
): Promise<readonly number[]> {
  const { database } = services
  const changed: number[] = []
  for await (const docs of recordPages(database.read, parts.store)) {
    const sources = await madeSourcesOf(database.read, services, computed, docs)
    const suspects = suspectsOf(services, computed, docs, sources)
    if (suspects.length === 0) continue
    const written = await database.write((tx) =>
      eachLocked(tx, parts, suspects, async (doc) =>
        (await repairRecord(tx, services, parts, computed, doc)) ? [doc.rid] : [],
      ),
    )
    changed.push(...written.flat())
  }
  return changed
}

/** Names of those of these records in which something computed differs, as they are without a lock. */
export async function suspectsAmong(
  tx: Db,
  services: Services,
  { store }: DocTypeParts,
  computed: ComputedCells,
  names: readonly string[],
): Promise<readonly string[]> {
  const docs = [...(await store.findMany(tx, names)).values()]
  await store.loadRows(tx, docs)
  return suspectsOf(services, computed, docs, await madeSourcesOf(tx, services, computed, docs))
}

/** Does the same for one record that is locked; tells whether it changed it. */
export async function repairRecord(
  tx: Db,
  services: Services,
  parts: DocTypeParts,
  computed: ComputedCells,
  doc: Doc,
): Promise<boolean> {
  const sources = await madeSourcesOf(tx, services, computed, [doc])
  const { after, differences, lagging, failures } = judge(services, computed, doc, sources)
  const isOfRows = ({ field }: Detail): boolean => computed.made.some(({ name }) => name === field)
  if (failures.length > 0 && doc.docstatus === 0 && failures.every(isOfRows)) {
    await rewrite(tx, services, parts, doc, await computedAnew(tx, services, parts, doc))
    return true
  }
  const isOwn = [...differences, ...lagging].some(({ cell }) => !cell.isFollowing)
  if (failures.length > 0 || (isOwn && doc.docstatus !== 0)) return false
  if (differences.length + lagging.length === 0) return false
  await rewrite(tx, services, parts, doc, after)
  return true
}

/**
 * Rebuilds all rollups in the order of their dependencies; formulas and statuses of the touched records are
 * computed before the next rollup may read them. Consecutive rollups of one DocType share a transaction. The
 * records that were written are added to `records`.
 */
export async function rebuildRollups(
  services: Services,
  plans: readonly RollupPlan[],
  cellsOf: CellsOf,
  records: Set<string>,
  onProgress: (line: string) => void,
): Promise<Omit<Repair, 'records'>> {
  let [rollups, made] = [0, 0]
  for (const run of runsOf(plans)) {
    const { target } = run[0]!
    if (target.behaviour.ledger) {
      onProgress(`${target.doctype} is a ledger, which nothing ever changes`)
      continue
    }
    const parts = services.partsOf(target)
    const counts = await services.database.write((tx) =>
      rebuildRun(tx, services, parts, run, cellsOf(parts)),
    )
    for (const { plan, touched } of counts.rebuilt)
      if (touched > 0) onProgress(`rebuilt ${rollupName(plan)}: ${touched} differed`)
    rollups += counts.rebuilt.reduce((sum, { touched }) => sum + touched, 0)
    for (const rid of counts.rids) records.add(recordKey(parts, rid))
    made += counts.made
  }
  return { rollups, made }
}

/** Key of a record that tells the records of all DocTypes apart. */
export function recordKey({ definition }: DocTypeParts, rid: number): string {
  return `${definition.doctype} ${rid}`
}

interface RunResult {
  readonly rebuilt: readonly { readonly plan: RollupPlan; readonly touched: number }[]
  readonly rids: Iterable<number>
  readonly made: number
}

async function rebuildRun(
  tx: Db,
  services: Services,
  parts: DocTypeParts,
  plans: readonly RollupPlan[],
  computed: ComputedCells,
): Promise<RunResult> {
  const { kind } = services.database
  // Deltas of others must not fall between what the rows add up to and what is written.
  await lockTable(tx, kind, parts.definition.table)
  const rebuilt: { plan: RollupPlan; touched: number }[] = []
  const all = new Set<number>()
  let made = 0
  for (const plan of plans)
    if (makesRecords(plan)) made += await makeRecords(tx, services, parts, plan)
  for (const plan of plans) {
    const queries = rollupQueries(plan, kind)
    const rows = await runFragment<{ record: bigint }>(tx, kind, queries.rebuild)
    const rids = [...new Set(rows.map(({ record }) => Number(record)))]
    await recomputeRecords(tx, services, parts, computed, rids)
    for (const rid of rids) all.add(rid)
    rebuilt.push({ plan, touched: rows.length })
  }
  return { rebuilt, rids: all, made }
}

/** Writes the touched records once more, with what follows from the rebuilt value. */
async function recomputeRecords(
  tx: Db,
  services: Services,
  parts: DocTypeParts,
  computed: ComputedCells,
  rids: readonly number[],
): Promise<void> {
  for (let at = 0; at < rids.length; at += PAGE) {
    const names = await namesOfRids(tx, parts.definition, rids.slice(at, at + PAGE))
    await eachLocked(tx, parts, names, async (doc) => {
      const sources = await madeSourcesOf(tx, services, computed, [doc])
      const { after } = judge(services, computed, doc, sources)
      await rewrite(tx, services, parts, doc, after)
    })
  }
}

/** Writes a record one version later. No event tells of it: nothing happened, a mistake was taken back. */
export async function rewrite(
  tx: Db,
  services: Services,
  { definition, store }: DocTypeParts,
  before: Doc,
  after: Doc,
): Promise<void> {
  const now = isoDateTime(services.clock)
  const isLater = before.modified > now
  after.modified = isLater ? before.modified : now
  after.modified_by = SYSTEM_ACTOR.name
  after.version = before.version + 1
  await store.update(tx, before, after)
  await services.search.update(tx, definition, before, after)
}

/** Makes the records of an `upsert_from` DocType that its source names and that are not there. */
export async function makeRecords(
  tx: Db,
  services: Services,
  parts: DocTypeParts,
  plan: RollupPlan,
): Promise<number> {
  const { kind } = services.database
  const source = services.partsOf(plan.source)
  const { missing } = rollupQueries(plan, kind)
  let made = 0
  for (;;) {
    const rows = await runFragment<MissingTarget>(tx, kind, missing(PAGE))
    if (rows.length === 0) return made
    const rids = [...new Set(rows.map(({ first }) => Number(first)))]
    const names = await namesOfRids(tx, plan.source, rids)
    const found = await source.store.findMany(tx, names)
    const byRid = new Map([...found.values()].map((doc) => [doc.rid, doc]))
    for (const { key, first } of rows)
      await makeRecord(tx, services, parts, plan, key, byRid.get(Number(first))!)
    made += rows.length
  }
}

/** Makes a record as the engine does at the first row of a key: fields of the same name come from that row. */
async function makeRecord(
  tx: Db,
  services: Services,
  { definition, store, behaviour }: DocTypeParts,
  plan: RollupPlan,
  name: string,
  source: Doc,
): Promise<void> {
  const now = isoDateTime(services.clock)
  const actor = SYSTEM_ACTOR.name
  const row = contributionsOf(plan, source).find(({ key }) => key === name)?.cell ?? source
  const told = toldByRow(definition, name, source, row)
  const wanted = { ...store.empty(), ...Object.fromEntries(told) }
  const reads = createReads(tx, services, new Map())
  const { rules } = behaviour
  let doc: Doc
  do {
    doc = cloneDoc(wanted)
    rules.compute(doc, undefined, reads, rules.environment(now, actor))
  } while (await reads.fill())
  Object.assign(doc, { name, owner: actor, modified_by: actor, created: now, modified: now })
  await store.insert(tx, doc)
  // A record that was deleted behind our back left its search text, and may have had this rid.
  await services.search.remove(tx, definition, doc)
  await services.search.insert(tx, definition, doc)
}
