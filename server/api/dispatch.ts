import type { Request, Router } from 'express'
import { AppError } from '../../engine/base/errors.ts'
import type { Engine } from '../../engine/index.ts'
import type { ApiResponse, Handler } from '../http/request-state.ts'
import { sendMessage } from './answer.ts'
import { argsOf, textArg } from './args.ts'
import { assertSignedIn, contextOf } from './call.ts'
import { FrappeError } from './frappe-error.ts'
import { assertNoReserved } from './known-parameters.ts'
import { dialectMethod } from './methods/dialect-methods.ts'
import { ANSWERED, type Method } from './methods/method.ts'

/** Methods that may be called, by name, and the engine they run on. */
export interface Called {
  readonly engine: Engine
  readonly methods: ReadonlyMap<string, Method>
}

/** `/method/{dotted name}` (erp-semantics.md §1.2). */
export function methodRoutes(router: Router, called: Called): void {
  router.all('/method/:method', (request, response: ApiResponse) =>
    callMethod(called, request, response, String(request.params.method)),
  )
}

/** `cmd=` at the root, as older clients call methods; a request without one goes on to the pages. */
export function commandRoute(called: Called): Handler {
  return (request, response, next) => {
    const sent = argsOf(response)
    const name = textArg(sent, 'cmd')
    if (name === undefined) {
      next()
      return undefined
    }
    return callMethod(called, request, response, name)
  }
}

async function callMethod(
  { engine, methods }: Called,
  request: Request,
  response: ApiResponse,
  name: string,
): Promise<void> {
  const context = contextOf(engine, response)
  const method = methods.get(name) ?? dialectMethod(context, name)
  if (!method)
    throw new FrappeError(
      'ValidationError',
      `Failed to get method for command ${name.slice(0, 140)}: there is no such method`,
    )
  if (method.access !== 'guest') assertSignedIn(context, `the method ${name}`)
  assertVerb(method, request.method)
  if (request.method !== 'GET' && request.method !== 'HEAD') assertNoReserved(response)
  const { args } = argsOf(response)
  const message = await method.run({ request, response, context, args })
  if (message === ANSWERED) return
  sendMessage(response, message ?? null)
}

/** Refuses GET for a method that changes something (reliability.md S4); PUT and DELETE are as good as POST. */
function assertVerb({ verbs }: Method, sent: string): void {
  const verb = sent === 'GET' || sent === 'HEAD' ? 'GET' : 'POST'
  if (verbs.includes(verb)) return
  throw new AppError('FORBIDDEN', `Not permitted: expected ${verbs.join(' or ')}, got ${sent}`)
}
