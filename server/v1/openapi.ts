import type { Express, Request } from 'express'
import { type Actor, GUEST_ACTOR } from '../../engine/access/actor.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { Engine } from '../../engine/index.ts'
import { mayReadAll } from '../../engine/reports/run/access.ts'
import { describeReports } from '../../engine/reports/run/openapi.ts'
import { type OpenApiOptions, openApiDocument } from '../../engine/schema/openapi/openapi.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { Handler, Identify } from '../http/request-state.ts'
import { definitionTexts, sendTagged } from './definition-texts.ts'

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
  app.get('/v1/openapi.json', takes(), ...stages, describe(engine, identify, options))
  app.all('/v1/openapi.json', methodNotAllowed('GET, HEAD'))
}

/** Built at the first request after the definitions were loaded, for all who know the same of them. */
function describe(engine: Engine, identify: Identify, options: OpenApiOptions): Handler {
  const texts = definitionTexts((registry, left) => {
    const reports = engine.reports().all.filter(({ slug }) => !left.split(' ').includes(slug))
    return JSON.stringify(
      openApiDocument(registry, { ...options, more: describeReports({ all: reports }) }),
    )
  })
  return async (request, response) => {
    const { services } = engine
    const context = { actor: await whoAsks(identify, request), grants: services.grants }
    const left = engine.reports().all.filter((report) => !mayReadAll(context, report))
    const key = left.map(({ slug }) => slug).join(' ')
    for (const header of ['Authorization', 'X-API-Key', 'Cookie']) response.vary(header)
    sendTagged(request, response, texts(services.knownRegistry(context), key))
  }
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
