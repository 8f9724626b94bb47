import type { Express, Request } from 'express'
import { type Actor, GUEST_ACTOR } from '../../engine/access/actor.ts'
import { AppError, type Detail, validationError } from '../../engine/base/errors.ts'
import { suggest } from '../../engine/base/suggest.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Registry } from '../../engine/definition/model/registry.ts'
import type { Engine } from '../../engine/index.ts'
import { mayReadAll } from '../../engine/reports/run/access.ts'
import { describeReports } from '../../engine/reports/run/openapi.ts'
import { type OpenApiOptions, openApiDocument } from '../../engine/schema/openapi/openapi.ts'
import { openApiSlice } from '../../engine/schema/openapi/openapi-slice.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import { readQuery } from '../http/query-string.ts'
import type { Handler, Identify } from '../http/request-state.ts'
import { definitionTexts, sendTagged, taggedText } from './definition-texts.ts'

/**
 * `GET /v1/openapi.json`, also without a key: it holds structure and examples, no data, and the reference page
 * in a browser has none to send (docs/api.md). With one it has the fields that the caller may read and set
 * (`permissions.fields`); without, those that everybody may. Mount it before the routes that ask for a key; `stages` go
 * before it, for it is the largest answer that a stranger can ask for (safety D20).
 */
export function openApiRoutes(
  app: Express,
  engine: Engine,
  identify: Identify,
  options: OpenApiOptions = {},
  stages: readonly Handler[] = [],
): void {
  const route = describe(engine, identify, options)
  app.get('/v1/openapi.json', takes('resource', 'module'), ...stages, route)
  app.all('/v1/openapi.json', methodNotAllowed('GET, HEAD'))
}

/**
 * Built at the first request after the definitions were loaded, for all who know the same of them; parts of it
 * (`resource`, `module`) for each request, as many as there are.
 */
function describe(engine: Engine, identify: Identify, options: OpenApiOptions): Handler {
  const texts = definitionTexts((registry, left) => {
    const reports = engine.reports().all.filter(({ slug }) => !left.split(' ').includes(slug))
    return JSON.stringify(
      openApiDocument(registry, { ...options, more: describeReports({ all: reports }) }),
    )
  })
  return async (request, response) => {
    const { services } = engine
    const reports = await engine.reports().readAll()
    const context = { actor: await whoAsks(identify, request), grants: services.grants }
    const left = reports.filter((report) => !mayReadAll(context, report))
    const key = left.map(({ slug }) => slug).join(' ')
    const registry = services.knownRegistry(context)
    for (const header of ['Authorization', 'X-API-Key', 'Cookie']) response.vary(header)
    const part = partOf(request.url, registry)
    if (!part) return sendTagged(request, response, texts(registry, key))
    const all = reports.filter(
      (report) => part.modules.has(report.module) && !left.includes(report),
    )
    const slice = openApiSlice(registry, part.resources, {
      ...options,
      more: describeReports({ all }),
    })
    sendTagged(request, response, taggedText(JSON.stringify(slice)))
  }
}

interface Part {
  readonly resources: readonly DocTypeDefinition[]
  readonly modules: ReadonlySet<string>
}

/** The part that is asked for: of `?resource=a,b` these, of `?module=crm` all of it; undefined for the whole. Throws 422. */
function partOf(url: string, registry: Registry): Part | undefined {
  const given = new Map(readQuery(url))
  const listed = (name: string): string[] => (given.get(name) ?? '').split(',').filter(Boolean)
  const [slugs, modules] = [listed('resource'), listed('module')]
  const details: Detail[] = []
  const named = slugs.flatMap((slug) => {
    const found = registry.bySlug(slug)
    if (!found)
      details.push(
        noSuch(
          'resource',
          slug,
          registry.all.map((one) => one.slug),
        ),
      )
    return found ?? []
  })
  const known = new Set(registry.all.map(({ module }) => module))
  for (const module of modules)
    if (!known.has(module)) details.push(noSuch('module', module, [...known]))
  if (details.length > 0) throw validationError(details)
  if (slugs.length + modules.length === 0) return undefined
  const chosen = new Set(named)
  const resources = registry.all.filter((one) => chosen.has(one) || modules.includes(one.module))
  return { resources, modules: new Set(modules) }
}

function noSuch(field: string, value: string, known: readonly string[]): Detail {
  const near = suggest(value, known)
  const hint = near === undefined ? '' : `, did you mean ${JSON.stringify(near)}?`
  const message = `there is no ${field} ${JSON.stringify(value.slice(0, 80))}${hint || '; GET /v1/resources lists them'}`
  return { field, message, code: 'not_an_option' }
}

/** A credential that does not hold is none: what everybody may read is no secret. */
async function whoAsks(identify: Identify, request: Request): Promise<Actor> {
  try {
    return (await identify(request))?.actor ?? GUEST_ACTOR
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return GUEST_ACTOR
  }
}
