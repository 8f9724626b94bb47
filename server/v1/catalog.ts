import type { Router } from 'express'
import { assertScope, canSee } from '../../engine/access/can.ts'
import type { DocTypeDefinition } from '../../engine/definition/definition.ts'
import { catalogEntries, resourceDetail } from '../../engine/schema/catalog.ts'
import { methodNotAllowed } from '../not-found.ts'
import type { Handler } from '../request-state.ts'
import { parameter, resourceNotFound, type V1 } from './call.ts'
import { definitionTexts, sendTagged, taggedText } from './definition-texts.ts'

/** `GET /v1/resources` and `GET /v1/resources/{slug}`: what the key can address (contract §3). */
export function catalogRoutes(router: Router, v1: Pick<V1, 'engine'>): void {
  router.get('/resources', list(v1))
  router.all('/resources', methodNotAllowed('GET, HEAD'))
  router.get('/resources/:slug', getOne(v1))
  router.all('/resources/:slug', methodNotAllowed('GET, HEAD'))
}

const WHAT = 'read the catalogue'

function list({ engine }: Pick<V1, 'engine'>): Handler {
  const textOf = (definitions: readonly DocTypeDefinition[]): string =>
    JSON.stringify({ data: catalogEntries(definitions) })
  const everything = definitionTexts(({ all }) => textOf(all))
  return (request, response) => {
    const { actor, tier } = response.locals
    assertScope(actor, 'read', WHAT)
    const { registry } = engine.services
    const rights = engine.context(actor, tier)
    const seen = registry.all.filter((definition) => canSee(rights, definition))
    const text =
      seen.length === registry.all.length ? everything(registry, '') : taggedText(textOf(seen))
    sendTagged(request, response, text)
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
    const { actor, tier } = response.locals
    assertScope(actor, 'read', WHAT)
    const slug = parameter(request, 'slug')
    const { registry } = engine.services
    const definition = registry.bySlug(slug)
    // What the caller may not read is absent (contract §3): they learn no more of it than of what is not there.
    if (definition && !canSee(engine.context(actor, tier), definition)) throw resourceNotFound(slug)
    sendTagged(request, response, texts(registry, slug))
  }
}
