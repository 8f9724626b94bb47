import type { Router } from 'express'
import { assertManager } from '../../engine/access/can.ts'
import { AppError, validationError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { isKeptByEngine } from '../../engine/definition/model/kept.ts'
import { toldRights } from '../../engine/documents/rights/told-rights.ts'
import type { Engine } from '../../engine/index.ts'
import { actorOf, findPerson } from '../auth/people.ts'
import { sendJson } from '../http/answer.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import { readQuery } from '../http/query-string.ts'
import type { Handler } from '../http/request-state.ts'
import type { V1 } from './call.ts'
import { createWords } from './catalog-words.ts'

/** Rights of a record that roles are told by; those of documents where they are submitted. */
const RIGHTS = ['read', 'create', 'update', 'delete', 'report', 'export'] as const
const OF_DOCUMENTS = ['submit', 'cancel', 'amend'] as const

/** `GET /v1/access` and `GET /v1/access/why`: which role may do what, and why somebody may or may not (contract §7.7). */
export function accessRoutes(router: Router, v1: Pick<V1, 'engine'>): void {
  router.get('/access', takes(), matrix(v1))
  router.all('/access', methodNotAllowed('GET, HEAD'))
  router.get('/access/why', takes('person', 'record', 'field'), why(v1))
  router.all('/access/why', methodNotAllowed('GET, HEAD'))
}

function matrix({ engine }: Pick<V1, 'engine'>): Handler {
  const words = createWords()
  return async (request, response) => {
    const { actor, tier } = response.locals
    assertManager(actor, 'read', 'read which role may do what')
    const context = engine.context(actor, tier)
    const { label } = words.telling(context.services, await words.languageOf(context, request))
    response.vary('Accept-Language')
    const data = engine.services.registry.all
      .filter((one) => !one.isChild)
      .map((definition) => ({
        slug: definition.slug,
        label: label(definition.labelPlural),
        module: definition.module,
        rights: rightsOf(engine, definition),
        limited: Object.keys(definition.behaviour.permissions?.rows ?? {}),
        fields: Object.entries(definition.behaviour.permissions?.fields ?? {}).map(
          ([name, limits]) => ({
            name,
            ...limits,
          }),
        ),
      }))
    sendJson(response, 200, JSON.stringify({ data }))
  }
}

/** Role → what it may do with the records of a DocType. */
function rightsOf(
  { services }: Engine,
  definition: DocTypeDefinition,
): Readonly<Record<string, readonly string[]>> {
  const grants = services.grants(definition)
  const rights: Record<string, string[]> = {}
  // Nobody writes what the engine keeps.
  const asked = isKeptByEngine(definition)
    ? (['read', 'report', 'export'] as const)
    : [...RIGHTS, ...(definition.submittable ? OF_DOCUMENTS : [])]
  for (const right of asked)
    for (const role of grants.rolesFor(right)) rights[role] = [...(rights[role] ?? []), right]
  return rights
}

function why({ engine }: Pick<V1, 'engine'>): Handler {
  return async (request, response) => {
    assertManager(response.locals.actor, 'read', 'read what others may')
    const given = new Map(readQuery(request.url))
    const missing = ['person', 'record'].filter((name) => !given.get(name))
    if (missing.length > 0)
      throw validationError(
        missing.map((field) => ({ field, message: 'is required', code: 'required' as const })),
      )
    const [slug = '', ...rest] = given.get('record')!.split('/')
    const definition = engine.services.registry.bySlug(slug)
    if (!definition || rest.length === 0)
      throw validationError([
        {
          field: 'record',
          message: 'expected a resource and an identifier such as customers/CUST-00001',
          code: 'wrong_type',
        },
      ])
    const user = given.get('person')!
    const person = await findPerson(engine.services, user)
    if (!person) throw new AppError('NOT_FOUND', `there is nobody called ${JSON.stringify(user)}`)
    const context = engine.context(actorOf(person), response.locals.tier)
    const rights = await toldRights(
      context,
      definition,
      rest.join('/'),
      given.get('field') || undefined,
    )
    sendJson(response, 200, JSON.stringify({ person: user, rights }))
  }
}
