import type { ApiResponse } from '../http/request-state.ts'
import type { PageAnswer } from './visit.ts'

/** Sends a page of the workspace of this name, or where to go on; nothing of it is kept by browsers or proxies. */
export function sendPage(response: ApiResponse, answer: PageAnswer, workspace: string): void {
  response.setHeader('Cache-Control', 'no-store')
  if ('goTo' in answer) {
    // 303: what follows a form is always read.
    response.statusCode = 303
    response.setHeader('Location', answer.goTo)
    response.end()
    return
  }
  const { status = 200, page, headers = {} } = answer
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.status(status).type('html').send(page(workspace).html)
}
