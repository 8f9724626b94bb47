import { SYSTEM_ACTOR } from '../engine/access/actor.ts'
import { listDocuments } from '../engine/documents/lists/list.ts'
import type { Engine } from '../engine/index.ts'

/** Records of each resource, by slug; what postings alone write is left out. */
export async function countRecords(engine: Engine): Promise<ReadonlyMap<string, number>> {
  const context = engine.context(SYSTEM_ACTOR, 'business')
  const counts = new Map<string, number>()
  for (const definition of engine.services.registry.all) {
    if (definition.behaviour.ledger || definition.behaviour.upsertFrom) continue
    const { total = 0 } = await listDocuments(context, definition, {
      filters: [],
      sort: 'created',
      order: 'asc',
      limit: 1,
      offset: 0,
      titles: false,
    })
    counts.set(definition.slug, total)
  }
  return counts
}

/** Records that have come since, by slug, where there are more. */
export function moreOf(
  now: ReadonlyMap<string, number>,
  before: ReadonlyMap<string, number>,
): Record<string, number> {
  const more = [...now].map(([slug, count]) => [slug, count - (before.get(slug) ?? 0)] as const)
  return Object.fromEntries(more.filter(([, count]) => count > 0))
}
