import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { LooksBackDeclaration } from '../../definition/model/looks-back.ts'
import { NO_ENVIRONMENT } from '../../rules/base/sql-parts.ts'
import type { RollupPlan } from '../../rules/rollups/rollup-plan.ts'
import type { Doc } from '../../storage/database/document.ts'
import {
  type SeriesSource,
  type SeriesValues,
  seriesOfFlows,
} from '../../storage/finding/ledger-series.ts'
import type { DocTypeParts } from '../work/context.ts'
import { lockRecord, type Work } from '../work/work.ts'

/*
 * Each series has a record that keeps its last place (a bin): who holds that one is alone with the rows of the series.
 */

/** Reader of the last place of the series of a row, from the record that keeps it, which nobody else changes then. */
export function lastPlaceOf(
  work: Work,
  { definition }: DocTypeParts,
  declared: LooksBackDeclaration,
): ((row: Doc) => Promise<string>) | undefined {
  const plan = planOf(work, definition, declared)
  if (!plan) return undefined
  const parts = work.context.services.partsOf(plan.target)
  return async (row) => {
    const name = plan.match.evaluate()(row, NO_ENVIRONMENT)
    const kept = typeof name === 'string' ? await lockRecord(work, parts, name) : undefined
    return String(kept?.current?.[plan.field.name] ?? '')
  }
}

/**
 * Holds series until the commit, before they are read: what somebody else posts in them in the same instant comes before
 * or behind this. SQLite has one writer.
 */
export async function holdSeries(
  work: Work,
  { definition, declared }: SeriesSource,
  all: readonly SeriesValues[],
): Promise<void> {
  const { services } = work.context
  if (services.database.kind !== 'postgres') return
  const plan = planOf(work, definition, declared)
  if (!plan) return
  const names = all.map((values) => {
    const row = Object.fromEntries(declared.series.map((field, at) => [field, values[at] ?? null]))
    return plan.match.evaluate()(row as Doc, NO_ENVIRONMENT)
  })
  const parts = services.partsOf(plan.target)
  for (const name of [...new Set(names)].sort())
    if (typeof name === 'string') await lockRecord(work, parts, name)
}

/** Series whose rows give to these flows, where somebody else may write meanwhile. */
export async function giversOfFlows(
  { tx, context: { services } }: Work,
  source: SeriesSource,
  flows: readonly string[],
): Promise<readonly SeriesValues[]> {
  return services.database.kind === 'postgres' ? seriesOfFlows(tx, source, flows) : []
}

function planOf(
  { context: { services } }: Work,
  definition: DocTypeDefinition,
  { place }: LooksBackDeclaration,
): RollupPlan | undefined {
  return services.rollups
    .keptFrom(definition)
    .find((one) => one.target.behaviour.upsertFrom === definition.doctype && isLast(one, place))
}

function isLast({ operation, value }: RollupPlan, place: string): boolean {
  return operation === 'max' && value?.expression.source === place
}
