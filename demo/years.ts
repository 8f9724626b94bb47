import { SYSTEM_ACTOR } from '../engine/access/actor.ts'
import { listDocuments } from '../engine/documents/lists/list.ts'
import type { Engine } from '../engine/index.ts'

/** Most fiscal years that are read: more than a workspace begins with. */
const MOST_YEARS = 100

/** Names of the fiscal years of a workspace that have a day in a span of days, the first one first. */
export async function fiscalYearsOf(
  engine: Engine,
  { first, last }: { readonly first: string; readonly last: string },
): Promise<readonly string[]> {
  const { data } = await listDocuments(
    engine.context(SYSTEM_ACTOR, 'business'),
    engine.services.registry.byDoctype('Fiscal Year')!,
    {
      filters: [
        { field: 'year_start_date', operator: 'lte', values: [last] },
        { field: 'year_end_date', operator: 'gte', values: [first] },
      ],
      sort: 'year_start_date',
      order: 'asc',
      limit: MOST_YEARS,
      offset: 0,
      titles: false,
    },
  )
  return data.map(({ id }) => String(id))
}
