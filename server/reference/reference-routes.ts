import type { Express, Request } from 'express'
import { AppError } from '../../engine/base/errors.ts'
import type { Engine } from '../../engine/index.ts'
import type { Html } from '../http/html.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { pageAsset } from '../http/packaged-asset.ts'
import { packagedFile } from '../http/packaged-file.ts'
import { takes } from '../http/query-parameters.ts'
import { readQuery } from '../http/query-string.ts'
import type { Handler, Identify } from '../http/request-state.ts'
import { errorsBody, eventsBody, frontBody, listsBody, webhooksBody } from './guide-pages.ts'
import { referencePage } from './layout.ts'
import { rawRoutes } from './raw.ts'
import { type Reader, readerOf } from './reader.ts'
import { reportBody } from './report-page.ts'
import { resourceBody } from './resource-page.ts'

/** Script and style of the reference; both ask each time whether they are the same. */
const FILES = ['reference.css', 'reference.js']

interface Asking extends Reader {
  /** Address of the workspace as the reader reached it. */
  readonly base: string
  readonly request: Request
}

type Draw = (
  asking: Asking,
) => readonly [title: string, body: Html] | Promise<readonly [string, Html]>

/**
 * `/docs`: the reference of the API, drawn by the server, one page for each resource and report that the reader may
 * know of, and one each for lists, errors, webhooks and events. Examples have their own ids and the beginning of their
 * key. Swagger UI is at `/docs/raw`.
 */
export function referenceRoutes(app: Express, engine: Engine, identify: Identify): void {
  const show = (path: string, draw: Draw, ...parameters: readonly string[]): void => {
    app.get(path, takes(...parameters), page(engine, identify, draw))
    app.all(path, methodNotAllowed('GET, HEAD'))
  }
  rawRoutes(app)
  for (const name of FILES) {
    const content = (): Buffer => pageAsset(name)
    app.get(`/docs/${name}`, takes(), packagedFile({ name, content, cacheControl: 'no-cache' }))
    app.all(`/docs/${name}`, methodNotAllowed('GET, HEAD'))
  }
  show('/docs', front, 'q')
  show('/docs/lists', (asking) => ['Lists', listsBody(asking)])
  show('/docs/errors', () => ['Errors', errorsBody()])
  show('/docs/webhooks', (asking) => ['Webhooks', webhooksBody(asking)])
  show('/docs/events', (asking) => ['Events', eventsBody(asking.registry, asking)])
  show('/docs/resources/:slug', resource(engine))
  show('/docs/reports/:slug', report)
}

function page(engine: Engine, identify: Identify, draw: Draw): Handler {
  return async (request, response) => {
    const reader = await readerOf(engine, identify, request)
    const base = `${request.protocol}://${request.get('host')}`
    const [title, body] = await draw({ ...reader, base, request })
    for (const header of ['Authorization', 'X-API-Key', 'Cookie']) response.vary(header)
    response.setHeader('Cache-Control', 'private, no-cache')
    response.type('html').send(referencePage(reader, title, request.path, body))
  }
}

const front: Draw = (asking) => {
  const words = new Map(readQuery(asking.request.url)).get('q') ?? ''
  return ['Overview', frontBody(asking, asking, words)]
}

function resource({ services }: Engine): Draw {
  return async ({ registry, base, key, idOf, request }) => {
    const definition = registry.bySlug(String(request.params.slug))
    if (!definition) throw nothingCalled(request)
    const id = await idOf(definition)
    const { grants } = services
    return [definition.labelPlural, resourceBody(definition, { registry, grants, base, key, id })]
  }
}

const report: Draw = ({ reports, base, key, request }) => {
  const found = reports.find(({ slug }) => slug === request.params.slug)
  if (!found) throw nothingCalled(request)
  return [found.label, reportBody(found, base, key)]
}

function nothingCalled({ path }: Request): AppError {
  const shown = path.slice(0, 200)
  return new AppError('NOT_FOUND', `there is nothing at ${shown}; /docs lists what there is`)
}
