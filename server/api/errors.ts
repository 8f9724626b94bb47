import type { Request } from 'express'
import type { Logger } from 'pino'
import { type AppError, isRefusal } from '../../engine/base/errors.ts'
import type { Engine } from '../../engine/index.ts'
import { sendAnswer } from '../http/answer.ts'
import { appErrorOf, logFailure } from '../http/error-handler.ts'
import { type Teller, toldError } from '../http/error-words.ts'
import { html } from '../http/html.ts'
import type { ErrorHandler } from '../http/request-state.ts'
import { createWords } from '../v1/catalog-words.ts'
import { type Failure, failureOf } from './failure.ts'

/**
 * Stage that turns errors into answers of surface A: Frappe's body and status (erp-semantics.md §1.5). Anything
 * that is no AppError is logged and nothing of it is told, as on surface B.
 */
export function apiErrors(engine: Engine, logger: Logger): ErrorHandler {
  const words = createWords()
  return function apiErrorStage(error, request, response, _next) {
    const english = appErrorOf(error)
    logFailure(logger, response.locals.requestId, error, english)
    const own = languageIn(request.url) ?? response.locals.actor?.user?.language
    const tell = isRefusal(english) ? words.teller(engine.services, own, request) : undefined
    const known = tell ? toldError(english, tell) : english
    if (response.headersSent) {
      response.destroy()
      return
    }
    const { resource } = response.locals
    const definition =
      resource === undefined ? undefined : engine.services.registry.bySlug(resource)
    const failure = toldFailure(failureOf(known, definition), tell)
    for (const [name, value] of Object.entries(known.headers)) response.setHeader(name, value)
    if (wantsText(request)) {
      const page = failurePage(failure)
      response.statusCode = failure.status
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      response.setHeader('Content-Length', Buffer.byteLength(page))
      response.end(page)
      return
    }
    sendAnswer(response, {
      status: failure.status,
      headers: {},
      body: JSON.stringify(failureBody(failure, known)),
    })
  }
}

/** A failure whose sentences are told, with what stands around the problem. */
function toldFailure(failure: Failure, tell: Teller | undefined): Failure {
  if (!tell) return failure
  const messages = failure.messages.map(tell)
  const isJoined = failure.exception === failure.messages.join('\n')
  return {
    ...failure,
    messages,
    exception: isJoined ? messages.join('\n') : tell(failure.exception),
  }
}

/** Language that a request names, as Frappe's clients do: `?_lang=de`. */
function languageIn(url: string): string | undefined {
  return /[?&]_lang=([A-Za-z-]{2,10})(?:&|$)/.exec(url)?.[1]
}

/**
 * `exc` and `_server_messages` are JSON inside JSON, as Frappe sends them. `exc` is never empty: frappe-client
 * for Python takes an answer without it for a success (erp-semantics.md §0.3). `message` is for clients that
 * show one, `errors` for those that want to know which field.
 */
function failureBody(
  { type, exception, messages }: Failure,
  { details }: AppError,
): Readonly<Record<string, unknown>> {
  const line = `frappe.exceptions.${type}: ${exception}`
  return {
    exception: line,
    exc_type: type,
    exc: JSON.stringify([line]),
    _server_messages: JSON.stringify(
      messages.map((message) =>
        JSON.stringify({ message, title: 'Message', indicator: 'red', raise_exception: 1 }),
      ),
    ),
    _error_message: messages.join('\n'),
    message: messages.join('\n'),
    ...(details === undefined ? {} : { errors: details }),
  }
}

/** True for a client that asks for text first: Frappe answers in HTML to those only. */
function wantsText({ headers: { accept = '' } }: Request): boolean {
  return accept.startsWith('text/') && !accept.includes('application/json')
}

function failurePage({ status, type, messages }: Failure): string {
  const page = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${status} ${type}</title></head><body><h1>${type}</h1><p>${messages.join('\n')}</p></body></html>
`
  return page.html
}
