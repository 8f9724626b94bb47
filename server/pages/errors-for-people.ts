import { appErrorOf } from '../http/error-handler.ts'
import { isNavigation } from '../http/navigation.ts'
import type { ErrorHandler } from '../http/request-state.ts'
import { pageHeaders } from './page-headers.ts'
import { PATHS } from './page-paths.ts'
import { failedPage, type PageDeps } from './pages.ts'
import { sendPage } from './send-page.ts'
import { withTarget } from './target.ts'

/**
 * Stage for whoever opens an address in a browser, who is not shown an answer for programs: without being signed in
 * they go to sign in and come back, and of what is not there, or not for them, they get a page. All other errors are
 * told as programs get them, for what they say in detail is lost on a page.
 */
export function errorsForPeople(deps: Pick<PageDeps, 'site' | 'logger'>): ErrorHandler {
  const headers = pageHeaders()
  const failed = failedPage(deps)
  return function errorsForPeopleStage(error, request, response, next) {
    const { code } = appErrorOf(error)
    if (response.headersSent || !isNavigation(request)) return next(error)
    if (code === 'UNAUTHORIZED')
      return sendPage(response, { goTo: withTarget(PATHS.login, request.originalUrl) }, '')
    if (code !== 'NOT_FOUND' && code !== 'FORBIDDEN') return next(error)
    headers(request, response, () => failed(error, request, response, next))
  }
}
