import type { Router } from 'express'
import { assertScope, canSee } from '../../engine/access/can.ts'
import { unlocks } from '../../engine/access/plans.ts'
import { type Detail, validationError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { assertMay } from '../../engine/documents/rights/door.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import { parameterProblem, refusal } from '../../engine/fields/problem.ts'
import {
  type CatalogueEntry,
  catalogEntries,
  resourceDetail,
} from '../../engine/schema/catalogue/catalog.ts'
import { writeForm } from '../../engine/schema/catalogue/for-write.ts'
import { toldDetail } from '../../engine/schema/catalogue/told.ts'
import { waitingFields } from '../../engine/schema/shapes/waiting-fields.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { flagOf } from '../http/query-flags.ts'
import { takes } from '../http/query-parameters.ts'
import { readQuery } from '../http/query-string.ts'
import type { Handler } from '../http/request-state.ts'
import { parameter, resourceNotFound, type V1 } from './call.ts'
import { canOf } from './call-rights.ts'
import { createWords } from './catalog-words.ts'
import {
  definitionTexts,
  perDefinitions,
  sendTagged,
  type TaggedText,
  taggedText,
} from './definition-texts.ts'

/** `GET /v1/resources` and `GET /v1/resources/{slug}`: what the key can address (contract §3). */
export function catalogRoutes(router: Router, v1: Pick<V1, 'engine'>): void {
  router.get('/resources', takes('module', 'brief', '_locked'), list(v1))
  router.all('/resources', methodNotAllowed('GET, HEAD'))
  router.get('/resources/:slug', takes('for', '_locked'), getOne(v1))
  router.all('/resources/:slug', methodNotAllowed('GET, HEAD'))
}

const WHAT = 'read the catalogue'

function list({ engine }: Pick<V1, 'engine'>): Handler {
  const textOf = (
    definitions: readonly DocTypeDefinition[],
    context: Context,
    isBrief = false,
  ): string => {
    const entries = catalogEntries(definitions).map((entry) => ({
      ...(isBrief ? briefEntry(entry) : entry),
      ...(isLocked(context, entry) ? { locked: true } : {}),
    }))
    return JSON.stringify({ data: entries })
  }
  const everything = perDefinitions(() => new Map<string, TaggedText>())
  return (request, response) => {
    const { actor, tier } = response.locals
    assertScope(actor, 'read', WHAT)
    const context = engine.context(actor, tier)
    const registry = engine.services.knownRegistry(context)
    const seen = registry.all.filter((definition) => canSee(context, definition))
    const { module, isBrief, withLocked } = partOf(request.url, seen)
    const asked = seen.filter(
      (one) =>
        (module === undefined || one.module === module) && (withLocked || !isLocked(context, one)),
    )
    if (asked.length < registry.all.length || isBrief)
      return sendTagged(request, response, taggedText(textOf(asked, context, isBrief)))
    // Which of them are locked follows from the tier.
    const known = everything(registry).get(tier) ?? taggedText(textOf(asked, context))
    everything(registry).set(tier, known)
    sendTagged(request, response, known)
  }
}

/** Whether only a higher tier has it. */
function isLocked({ plans, tier }: Context, one: Pick<DocTypeDefinition, 'tier'>): boolean {
  return !unlocks(plans, tier, one.tier)
}

/** Entry of the list in brief, which has to fit into what a person or a model reads at once: nothing that is long. */
function briefEntry({
  doctype: _,
  fields: __,
  ...entry
}: CatalogueEntry): Omit<CatalogueEntry, 'doctype' | 'fields'> {
  return entry
}

/** Part of the catalogue that is asked for. Throws 422 for values that mean nothing. */
function partOf(
  url: string,
  seen: readonly DocTypeDefinition[],
): {
  readonly module: string | undefined
  readonly isBrief: boolean
  readonly withLocked: boolean
} {
  const given = new Map(readQuery(url))
  const details: Detail[] = []
  const module = given.get('module')
  const modules = [...new Set(seen.map((definition) => definition.module))].sort()
  if (module !== undefined && !modules.includes(module))
    details.push(parameterProblem('module', refusal(`one of ${modules.join(', ')}`, module)))
  const isBrief = flagOf(given, 'brief', details)
  const withLocked = flagOf(given, '_locked', details)
  if (details.length > 0) throw validationError(details)
  return { module, isBrief, withLocked }
}

/** What is asked of one resource. Throws 422 for values that mean nothing. */
function formOf(url: string): { readonly isForWrite: boolean; readonly withLocked: boolean } {
  const given = new Map(readQuery(url))
  const details: Detail[] = []
  const withLocked = flagOf(given, '_locked', details)
  const purpose = given.get('for') ?? ''
  if (!['', 'write'].includes(purpose))
    details.push(parameterProblem('for', refusal('write', purpose)))
  if (details.length > 0) throw validationError(details)
  return { isForWrite: purpose === 'write', withLocked }
}

function getOne({ engine }: Pick<V1, 'engine'>): Handler {
  const words = createWords()
  const texts = definitionTexts((registry, key) => {
    const [slug = '', language = ''] = key.split('\0')
    const definition = registry.bySlug(slug)
    if (!definition) throw resourceNotFound(slug)
    const alias = slug === definition.slug ? undefined : slug
    const detail = resourceDetail(registry, definition, alias)
    return JSON.stringify(toldDetail(detail, words.telling(engine.services, language)))
  })
  const forms = definitionTexts((registry, slug) => {
    const definition = registry.bySlug(slug)
    if (!definition) throw resourceNotFound(slug)
    return JSON.stringify(writeForm(registry, definition))
  })
  return async (request, response) => {
    const { actor, tier } = response.locals
    assertScope(actor, 'read', WHAT)
    const slug = parameter(request, 'slug')
    const context = engine.context(actor, tier)
    const registry = engine.services.knownRegistry(context)
    const definition = registry.bySlug(slug)
    // What the caller may not read is absent (contract §3): they learn no more of it than of what is not there.
    if (!definition || !canSee(context, definition)) throw resourceNotFound(slug)
    const { isForWrite, withLocked } = formOf(request.url)
    const locked = isLocked(context, definition)
    if (locked && !withLocked) assertMay(context, definition, 'read')
    if (isForWrite) return sendTagged(request, response, forms(registry, slug))
    const language = await words.languageOf(context, request)
    response.vary('Accept-Language')
    const filling = waitingFields(engine.services.unfilled.now, definition)
    const own = {
      can: canOf(context, definition),
      ...(locked ? { locked } : {}),
      ...(filling.length > 0 ? { filling } : {}),
    }
    const { json } = texts(registry, `${slug}\0${language}`)
    const whole = `${json.slice(0, -1)},${JSON.stringify(own).slice(1)}`
    sendTagged(request, response, taggedText(whole))
  }
}
