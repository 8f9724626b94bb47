import { sendJson } from '../http/answer.ts'
import { longAnswer } from '../http/long-answer.ts'
import { requestIdOf } from '../http/request-id.ts'
import type { ApiResponse, Handler } from '../http/request-state.ts'

/** Headers Frappe puts on every answer, and its name for the id of a request. */
export function apiHeaders(): Handler {
  return function apiHeadersStage(request, response, next) {
    response.setHeader('Cache-Control', 'no-store,no-cache,must-revalidate,max-age=0')
    response.setHeader('X-Frappe-Request-Id', response.locals.requestId ?? requestIdOf(request))
    next()
  }
}

/** Answers a request about records: `{"data": …}`. */
export function sendData(response: ApiResponse, data: unknown): void {
  sendJson(response, 200, JSON.stringify({ data }))
}

/** Answers a call of a method: `{"message": …}`, `{}` for one that returns nothing. */
export function sendMessage(response: ApiResponse, message: unknown): void {
  sendJson(response, 200, JSON.stringify(message === null ? {} : { message }))
}

/**
 * Answers with rows that are written one by one as they are read, however many there are: `{"data": […]}`, or under
 * another name. `each` reads them in order; what `take` throws ends it. Behind `begin`, which says that nothing is left that
 * would refuse them, a long answer is sent while it is read.
 */
export async function sendRows(
  response: ApiResponse,
  name: 'data' | 'message',
  each: (take: (row: unknown) => void, begin: () => void) => Promise<void>,
): Promise<void> {
  const answer = longAnswer(response, 'application/json; charset=utf-8')
  let before = `{"${name}":[`
  await each((row) => {
    answer.add(before + JSON.stringify(row))
    before = ','
  }, answer.begin)
  answer.add(before === ',' ? ']}' : `${before}]}`)
  await answer.send()
}
