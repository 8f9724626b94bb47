import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { listDocuments } from '../../engine/documents/lists/list.ts'
import type { Engine } from '../../engine/index.ts'
import type { Selection } from '../../server/export/selection.ts'
import { readListQuery } from '../../server/http/list-params.ts'

/** Records of one page. */
const PAGE = 100

/** Filters as in a query: name and text. */
export type Pairs = readonly (readonly [string, string])[]

type Taken = Readonly<{ [field: string]: unknown }>

/**
 * All records of a resource in the order they were made, a page in memory at a time: who takes them sets the pace. Throws
 * VALIDATION_ERROR for filters that cannot be, before anything is read.
 */
export function recordPages(
  engine: Engine,
  definition: DocTypeDefinition,
  selection: Selection,
  filters: Pairs = [],
): AsyncGenerator<readonly Taken[]> {
  const names = [...selection.own, ...selection.tables.map(({ field }) => field)].map(
    ({ name }) => name,
  )
  const parameters = [
    ...filters,
    ['fields', names.join(',')],
    ['sort', 'created'],
    ['order', 'asc'],
    ['limit', String(PAGE)],
  ] as const
  return pagesOf(engine, definition, (cursor) =>
    readListQuery(engine.services, definition, [...parameters, ['cursor', cursor]]),
  )
}

type Query = ReturnType<typeof readListQuery>

function pagesOf(
  engine: Engine,
  definition: DocTypeDefinition,
  queryAt: (cursor: string) => Query,
): AsyncGenerator<readonly Taken[]> {
  const first = queryAt('')
  return (async function* pages() {
    const context = engine.context(SYSTEM_ACTOR, await engine.tier())
    let query: Query | undefined = first
    while (query) {
      const page = await listDocuments(context, definition, query)
      yield page.data as readonly Taken[]
      query = page.nextCursor === undefined ? undefined : queryAt(page.nextCursor)
    }
  })()
}
