import type { Router } from 'express'
import { assertScope, canSee } from '../../engine/access/can.ts'
import { type Detail, validationError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { parameterProblem, refusal } from '../../engine/fields/problem.ts'
import {
  type CatalogueEntry,
  catalogEntries,
  resourceDetail,
} from '../../engine/schema/catalogue/catalog.ts'
import { waitingFields } from '../../engine/schema/shapes/waiting-fields.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import { readQuery } from '../http/query-string.ts'
import type { Handler } from '../http/request-state.ts'
import { parameter, resourceNotFound, type V1 } from './call.ts'
import { definitionTexts, sendTagged, taggedText } from './definition-texts.ts'

/** `GET /v1/resources` and `GET /v1/resources/{slug}`: what the key can address (contract §3). */
export function catalogRoutes(router: Router, v1: Pick<V1, 'engine'>): void {
  router.get('/resources', takes('module', 'brief'), list(v1))
  router.all('/resources', methodNotAllowed('GET, HEAD'))
  router.get('/resources/:slug', takes(), getOne(v1))
  router.all('/resources/:slug', methodNotAllowed('GET, HEAD'))
}

const WHAT = 'read the catalogue'

function list({ engine }: Pick<V1, 'engine'>): Handler {
  const textOf = (definitions: readonly DocTypeDefinition[], isBrief = false): string => {
    const entries = catalogEntries(definitions)
    return JSON.stringify({ data: isBrief ? entries.map(withoutFields) : entries })
  }
  const everything = definitionTexts(({ all }) => textOf(all))
  return (request, response) => {
    const { actor, tier } = response.locals
    assertScope(actor, 'read', WHAT)
    const rights = engine.context(actor, tier)
    const registry = engine.services.knownRegistry(rights)
    const seen = registry.all.filter((definition) => canSee(rights, definition))
    const { module, isBrief } = partOf(request.url, seen)
    const asked = module === undefined ? seen : seen.filter((each) => each.module === module)
    const isAll = asked.length === registry.all.length && !isBrief
    const text = isAll ? everything(registry, '') : taggedText(textOf(asked, isBrief))
    sendTagged(request, response, text)
  }
}

/** The list in brief fits into what a person or model can read at once; the shape of an entry stays. */
function withoutFields(entry: CatalogueEntry): CatalogueEntry {
  return { ...entry, fields: [] }
}

/** Part of the catalogue that is asked for. Throws 422 for values that mean nothing. */
function partOf(
  url: string,
  seen: readonly DocTypeDefinition[],
): { readonly module: string | undefined; readonly isBrief: boolean } {
  const given = new Map(readQuery(url))
  const details: Detail[] = []
  const module = given.get('module') || undefined
  const modules = [...new Set(seen.map((definition) => definition.module))].sort()
  if (module !== undefined && !modules.includes(module))
    details.push(parameterProblem('module', refusal(`one of ${modules.join(', ')}`, module)))
  const brief = given.get('brief') ?? ''
  if (!['', '0', '1'].includes(brief))
    details.push(parameterProblem('brief', refusal('1 or 0', brief)))
  if (details.length > 0) throw validationError(details)
  return { module, isBrief: brief === '1' }
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
    const rights = engine.context(actor, tier)
    const registry = engine.services.knownRegistry(rights)
    const definition = registry.bySlug(slug)
    // What the caller may not read is absent (contract §3): they learn no more of it than of what is not there.
    if (definition && !canSee(rights, definition)) throw resourceNotFound(slug)
    const filling = definition ? waitingFields(engine.services.unfilled.now, definition) : []
    if (filling.length === 0) return sendTagged(request, response, texts(registry, slug))
    const detail = JSON.parse(texts(registry, slug).json) as object
    sendTagged(request, response, taggedText(JSON.stringify({ ...detail, filling })))
  }
}
