import type { Router } from 'express'
import { assertScope } from '../../engine/access/can.ts'
import { catalogEntries, resourceDetail } from '../../engine/schema/catalog.ts'
import { methodNotAllowed } from '../not-found.ts'
import type { Handler } from '../request-state.ts'
import { parameter, resourceNotFound, type V1 } from './call.ts'
import { definitionTexts, sendTagged } from './definition-texts.ts'

/** `GET /v1/resources` and `GET /v1/resources/{slug}`: what the key can address (contract §3). */
export function catalogRoutes(router: Router, v1: Pick<V1, 'engine'>): void {
  router.get('/resources', list(v1))
  router.all('/resources', methodNotAllowed('GET, HEAD'))
  router.get('/resources/:slug', getOne(v1))
  router.all('/resources/:slug', methodNotAllowed('GET, HEAD'))
}

const WHAT = 'read the catalogue'

function list({ engine }: Pick<V1, 'engine'>): Handler {
  const texts = definitionTexts(({ all }) => JSON.stringify({ data: catalogEntries(all) }))
  return (request, response) => {
    assertScope(response.locals.actor, 'read', WHAT)
    sendTagged(request, response, texts(engine.services.registry, ''))
  }
}

function getOne({ engine }: Pick<V1, 'engine'>): Handler {
  const texts = definitionTexts((registry, slug) => {
    const definition = registry.bySlug(slug)
    if (!definition) throw resourceNotFound(slug)
    const alias = slug === definition.slug ? undefined : slug
    return JSON.stringify(resourceDetail(registry, definition, alias))
  })
  return (request, response) => {
    assertScope(response.locals.actor, 'read', WHAT)
    sendTagged(request, response, texts(engine.services.registry, parameter(request, 'slug')))
  }
}
