import { type Express, Router } from 'express'
import type { Logger } from 'pino'
import { AppError } from '../../engine/base/errors.ts'
import type { Engine } from '../../engine/index.ts'
import type { Handler } from '../http/request-state.ts'
import { olderDefinitions } from '../observe/older-definitions.ts'
import { apiHeaders } from './answer.ts'
import { readArgs } from './args.ts'
import { commandRoute, methodRoutes } from './dispatch.ts'
import { apiErrors } from './errors.ts'
import type { Methods } from './methods/method.ts'
import { allMethods } from './methods/methods.ts'
import { apiDescriptionRoute } from './openapi.ts'
import { resourceRoutes } from './resource.ts'

/** Setting of the app under which the names of all methods stand. */
export const METHOD_NAMES = 'method names'

/** Dependencies of surface A's routes. */
export interface ApiDeps {
  readonly engine: Engine
  readonly logger: Logger
  /** Authentication, guests included, then the rate limit: in this order, before a body is read. */
  readonly stages: readonly Handler[]
  /** Methods beside those over records. */
  readonly methods: readonly Methods[]
  /** Address of the site, for the API's description of itself. */
  readonly serverUrl?: string
}

/**
 * Surface A (contract §4): `/api`, the same under `/api/v1`, and `cmd=` at the root. Mount it before the pages:
 * a request of `/` without `cmd` goes on to them.
 */
export function apiRoutes(app: Express, deps: ApiDeps): void {
  const { engine, logger, stages, serverUrl } = deps
  const called = { engine, methods: allMethods(deps.methods) }
  app.set(METHOD_NAMES, [...called.methods.keys()])
  apiDescriptionRoute(app, engine, serverUrl)
  const errors = [olderDefinitions(engine), apiErrors(engine, logger)]
  const api = Router({ caseSensitive: true })
  api.use(apiHeaders(), ...stages, readArgs())
  methodRoutes(api, called)
  resourceRoutes(api, engine)
  api.use(nothingHere(), ...errors)
  app.use(['/api/v1', '/api'], api)

  const command = Router()
  command.use(onlyCommands(), apiHeaders(), ...stages, readArgs(), commandRoute(called), ...errors)
  app.all('/', command)
}

/** Leaves the root to its pages unless the request may be a call of a method. */
function onlyCommands(): Handler {
  return (request, _response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isCommand = isRead ? /[?&]cmd=/.test(request.url) : request.method === 'POST'
    next(isCommand ? undefined : 'router')
  }
}

function nothingHere(): Handler {
  return (request) => {
    throw new AppError(
      'NOT_FOUND',
      `there is nothing at ${request.method} ${request.path.slice(0, 200)}; GET /api/openapi.json describes the site API`,
    )
  }
}
