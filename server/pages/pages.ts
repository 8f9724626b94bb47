import type { Express, Request } from 'express'
import type { Logger } from 'pino'
import { BRAND } from '../../engine/base/brand.ts'
import { assertNoForgery, assertSameOrigin, csrfToken } from '../auth/forgery.ts'
import type { KeyEnvironment } from '../auth/key-text.ts'
import { sessionCookie } from '../auth/session-cookies.ts'
import { findSession } from '../auth/sessions.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { assertKnown, takes } from '../http/query-parameters.ts'
import type { ErrorHandler, Handler } from '../http/request-state.ts'
import type { AddressLimit } from '../limits/address-limit.ts'
import { assertTaken } from '../limits/rate-limit.ts'
import { browserWords } from '../site/browser-words.ts'
import type { Site } from '../site/site.ts'
import { workspaceName } from '../site/workspace-name.ts'
import { type AssetDeps, assetRoutes } from './assets.ts'
import { changePasswordPage } from './change-password.ts'
import { developerPage } from './developer.ts'
import { errorPage } from './error-page.ts'
import { factorsPage } from './factors.ts'
import { forgotPasswordPage } from './forgot-password.ts'
import { homePage } from './home.ts'
import { loginPage, logoutPage } from './login.ts'
import type { Page } from './page.ts'
import { PATHS } from './page-paths.ts'
import { resetPasswordPage } from './reset-password.ts'
import { secondFactorPage } from './second-factor.ts'
import { sendPage } from './send-page.ts'
import { sessionsPage } from './sessions.ts'
import { signUpPage } from './sign-up.ts'
import { readForm, readParameters, type Visit, type Visitor } from './visit.ts'

export interface PageDeps {
  readonly site: Site
  readonly logger: Logger
  /** The workspace's own 32 bytes. */
  readonly secretKey: Buffer
  /** Further origins that are ours: those people reach the workspace under. */
  readonly origins: readonly string[]
  /** Environment a new API key gets by itself. */
  readonly env: KeyEnvironment
  /** Counts forms of people who are not signed in. */
  readonly guests: AddressLimit
}

/** Parameters with which the payment provider sends people back, unless their order says otherwise. */
const OF_HOME = ['checkout', 'session_id']

/** Pages by path, in plain HTML that needs no scripts; each answers no other path and no other method. */
export function pageRoutes(app: Express, deps: PageDeps & AssetDeps): void {
  const { site, secretKey } = deps
  const pages: Readonly<Record<string, Page>> = {
    // Where clients of surface A go on to after a sign-in.
    [PATHS.app]: { show: () => ({ goTo: PATHS.home }) },
    [PATHS.login]: loginPage(deps),
    [PATHS.secondFactor]: secondFactorPage(deps),
    [PATHS.logout]: logoutPage(site),
    [PATHS.signUp]: signUpPage(site),
    [PATHS.forgotPassword]: forgotPasswordPage(site),
    [PATHS.resetPassword]: resetPasswordPage(site),
    [PATHS.changePassword]: changePasswordPage(site, secretKey),
    [PATHS.factors]: factorsPage(deps),
    [PATHS.developer]: developerPage(site, deps.env),
    [PATHS.sessions]: sessionsPage(site),
  }
  assetRoutes(app, deps)
  const handler = pageHandler(deps)
  const failed = failedPage(deps)
  for (const [path, page] of Object.entries(pages)) {
    const methods = [page.show && 'GET, HEAD', page.send && 'POST'].filter(Boolean).join(', ')
    if (page.show) app.get(path, takes(...(page.parameters ?? [])), handler(page.show))
    if (page.send) app.post(path, takes(), handler(page.send, page.actsForVisitor))
    app.all(path, methodNotAllowed(methods))
    app.use(path, failed)
  }
  const home = handler(homePage())
  const homeUnlessCall: Handler = (request, response, next) => {
    const parameters = readParameters(request)
    // `/?cmd=…` is a call of surface A.
    if (parameters.has('cmd')) return next()
    assertKnown(parameters, OF_HOME)
    return home(request, response, next)
  }
  app.get(PATHS.home, homeUnlessCall, failed)
}

function pageHandler(deps: PageDeps) {
  return (answer: NonNullable<Page['show']>, actsForVisitor = false): Handler =>
    async (request, response) => {
      const visitor = await visitorOf(deps, request)
      // Before anything of it is read: nobody knows them yet.
      if (!visitor && request.method === 'POST')
        assertTaken(response, deps.guests.take(request.ip ?? ''), deps.site.engine.services.clock)
      const form = await readForm(request)
      assertOwnForm(deps, request, actsForVisitor ? visitor : undefined, form)
      const words = browserWords(deps.site.engine.services, request)
      const visit = { request, response, query: readParameters(request), form, visitor, words }
      sendPage(response, await answer(visit), await workspaceName(deps.site))
    }
}

/** Who is signed in, in the browser that sends a request. */
export async function visitorOf(
  { site, secretKey, logger }: Pick<PageDeps, 'site' | 'secretKey' | 'logger'>,
  request: Request,
): Promise<Visitor | undefined> {
  const cookie = sessionCookie(request)
  if (cookie === undefined) return undefined
  const found = await findSession(site.engine.services, cookie, (err) =>
    logger.warn({ err }, 'could not note the use of a session'),
  )
  return found && { ...found, csrfToken: csrfToken(secretKey, found.session.id) }
}

/** A form comes from our own page: by its origin, and where it acts for a visitor by their token (S4). */
function assertOwnForm(
  { secretKey, origins }: PageDeps,
  request: Request,
  visitor: Visitor | undefined,
  form: Visit['form'],
): void {
  if (request.method !== 'POST') return
  assertSameOrigin(request, origins)
  if (visitor === undefined) return
  const session = { ...visitor.session, byPage: true }
  assertNoForgery(request, session, { secretKey, origins }, form.get('csrf_token') ?? '')
}

/** Stage that shows an error as a page: it is people who read it. */
export function failedPage({ site, logger }: Pick<PageDeps, 'site' | 'logger'>): ErrorHandler {
  return async function failedPageStage(error, request, response, next) {
    if (response.headersSent) return next(error)
    const words = browserWords(site.engine.services, request)
    const answer = errorPage(error, words, logger, String(response.getHeader('X-Request-Id')))
    // It may be the database that failed.
    const workspace = await workspaceName(site).catch(() => BRAND)
    sendPage(response, answer, workspace)
  }
}
