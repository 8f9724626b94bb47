import type { Router } from 'express'
import { assertScope } from '../../engine/access/can.ts'
import { type Detail, validationError } from '../../engine/base/errors.ts'
import { type SearchQuery, searchAll } from '../../engine/documents/lists/search.ts'
import { assertMay } from '../../engine/documents/rights/door.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import { sendJson } from '../http/answer.ts'
import { readSearch } from '../http/list-params.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { readInteger } from '../http/paging.ts'
import { takes } from '../http/query-parameters.ts'
import { readQuery } from '../http/query-string.ts'
import type { Handler } from '../http/request-state.ts'
import type { V1 } from './call.ts'

/** Hits that are answered, by itself and at most. */
const USUAL = 8
const MOST = 50

/** `GET /v1/search`: records of all resources by their search fields (contract §7.3). */
export function searchRoutes(router: Router, v1: Pick<V1, 'engine'>): void {
  router.get('/search', takes('q', 'limit', 'resources'), search(v1))
  router.all('/search', methodNotAllowed('GET, HEAD'))
}

function search({ engine }: Pick<V1, 'engine'>): Handler {
  return async (request, response) => {
    const { actor, tier } = response.locals
    assertScope(actor, 'read', 'search')
    const context = engine.context(actor, tier)
    const query = readSearchQuery(context, new Map(readQuery(request.url)))
    for (const definition of query.definitions ?? []) assertMay(context, definition, 'read')
    sendJson(response, 200, JSON.stringify({ data: await searchAll(context, query) }))
  }
}

/** Throws 422 without `q`, for an unknown resource and a limit out of range. */
function readSearchQuery(context: Context, given: ReadonlyMap<string, string>): SearchQuery {
  const { registry } = context.services
  const details: Detail[] = []
  const q = readSearch(given.get('q'), details)
  if (q === undefined)
    details.push({ field: 'q', message: 'is required: what to look for', code: 'required' })
  const limit = readInteger(given, 'limit', { min: 1, max: MOST }, details) ?? USUAL
  const slugs = (given.get('resources') ?? '').split(',').flatMap((slug) => slug.trim() || [])
  const definitions = slugs.flatMap((slug) => {
    const definition = registry.bySlug(slug)
    if (!definition) {
      const message = `there is no resource ${JSON.stringify(slug.slice(0, 80))}; GET /v1/resources lists them`
      details.push({ field: 'resources', message, code: 'not_an_option' })
    }
    return definition ?? []
  })
  if (details.length > 0) throw validationError(details)
  return { q: q!, limit, ...(slugs.length > 0 ? { definitions: [...new Set(definitions)] } : {}) }
}
