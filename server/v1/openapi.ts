import type { Express } from 'express'
import type { Engine } from '../../engine/index.ts'
import { describeReports } from '../../engine/reports/run/openapi.ts'
import { type OpenApiOptions, openApiDocument } from '../../engine/schema/openapi/openapi.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { Handler } from '../http/request-state.ts'
import { definitionTexts, sendTagged } from './definition-texts.ts'

/**
 * `GET /v1/openapi.json`, without a key: it holds structure and examples, no data, and the reference page
 * in a browser has none to send (docs/api.md). Mount it before the routes that ask for a key.
 */
export function openApiRoutes(app: Express, engine: Engine, options: OpenApiOptions = {}): void {
  app.get('/v1/openapi.json', takes(), describe(engine, options))
  app.all('/v1/openapi.json', methodNotAllowed('GET, HEAD'))
}

/** Built at the first request after the definitions were loaded. */
function describe(engine: Engine, options: OpenApiOptions): Handler {
  const texts = definitionTexts((registry) =>
    JSON.stringify(
      openApiDocument(registry, { ...options, more: describeReports(engine.reports()) }),
    ),
  )
  return (request, response) => sendTagged(request, response, texts(engine.services.registry, ''))
}
