import type { Express, Request } from 'express'
import { AppError, isRefusal, validationError } from '../../engine/base/errors.ts'
import { readUploadForm } from '../attach/multipart.ts'
import { beginSession } from '../auth/browser-session.ts'
import { assertSameOrigin } from '../auth/forgery.ts'
import { findPerson } from '../auth/people.ts'
import type { Files } from '../files/files.ts'
import { isMultipart } from '../http/body.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { ApiResponse, Handler } from '../http/request-state.ts'
import { assertTaken } from '../limits/rate-limit.ts'
import { PATHS } from '../pages/page-paths.ts'
import { failedPage, type PageDeps } from '../pages/pages.ts'
import { sendPage } from '../pages/send-page.ts'
import { type Fields, type PageAnswer, readForm, readParameters } from '../pages/visit.ts'
import type { SetupDoor } from '../setup-door.ts'
import { type BrowserWords, browserWords } from '../site/browser-words.ts'
import { workspaceName } from '../site/workspace-name.ts'
import { assertLogo, keepLogo, type Logo, MOST_OF_LOGO } from './company-logo.ts'
import { ASKED, demoPage, needsToken, type SetupChoices, setupForm } from './setup-form.ts'

type Deps = Pick<PageDeps, 'site' | 'logger' | 'origins' | 'guests' | 'secretKey'> & {
  readonly files: Files | undefined
}

/** A request for the page, in the words of its browser. */
interface Visit extends Deps {
  readonly door: SetupDoor
  readonly request: Request
  readonly response: ApiResponse
  readonly words: BrowserWords
}

/** What was sent. */
interface Sent {
  readonly form: Fields
  readonly logo: Logo | undefined
}

/**
 * `/setup?token=…`: the first page of a workspace that waits for it (`svc serve --wait-for-setup`): the company, its country,
 * its logo and the first person, or a demo company; who sends it is signed in, and goes on to the Desk. Without a door
 * there is no such page.
 */
export function setupPage(
  app: Express,
  { door, ...deps }: Deps & { readonly door: SetupDoor | undefined },
): void {
  if (!door) return
  app.get(PATHS.setup, takes('token'), page({ ...deps, door }, shown))
  app.post(PATHS.setup, takes(), page({ ...deps, door }, sent))
  app.all(PATHS.setup, methodNotAllowed('GET, HEAD, POST'))
  app.use(PATHS.setup, failedPage(deps))
}

function page(
  deps: Deps & { readonly door: SetupDoor },
  answer: (visit: Visit) => PageAnswer | Promise<PageAnswer>,
): Handler {
  const { site, guests, door } = deps
  return async (request, response) => {
    const { services } = site.engine
    assertTaken(response, guests.take(request.ip ?? ''), services.clock)
    const isThere = door.demo.state() === 'ready' || (await door.isOpen())
    const words = browserWords(services, request)
    const shownPage = isThere
      ? await answer({ ...deps, request, response, words })
      : { goTo: `${PATHS.login}?done=spent` }
    sendPage(response, shownPage, await workspaceName(site))
  }
}

function shown({ door, request, words }: Visit): PageAnswer {
  const token = readParameters(request).get('token') ?? ''
  if (!door.accepts(token)) return needsToken(words)
  const state = door.demo.state()
  if (state !== 'none') return demoPage(words, token, state)
  return setupForm({ words, token, choices: door.options() as SetupChoices, form: new Map() })
}

async function sent(visit: Visit): Promise<PageAnswer> {
  const { door, origins, request, words } = visit
  assertSameOrigin(request, origins)
  const { form, logo } = await readSetup(visit)
  try {
    const token = form.get('token') ?? ''
    if (!door.accepts(token)) return needsToken(words)
    try {
      return await taken(visit, { form, logo })
    } catch (error) {
      if (!isRefusal(error)) throw error
      return setupForm({ words, token, choices: door.options() as SetupChoices, form, error })
    }
  } finally {
    logo?.received.drop()
  }
}

/** The fields and the picture. Nobody who lacks the token brings a file. */
async function readSetup({ door, request, files }: Visit): Promise<Sent> {
  if (!isMultipart(request)) return { form: await readForm(request), logo: undefined }
  const { fields, file } = await readUploadForm(
    request,
    async (stream, before) => {
      if (!files || !door.accepts(before.get('token') ?? ''))
        throw new AppError('FORBIDDEN', 'expected the link that the server printed when it started')
      return files.receiving.take(stream, MOST_OF_LOGO)
    },
    'logo',
  )
  // A field of files that nothing was chosen in comes as an empty one.
  if (file?.received.size === 0) file.received.drop()
  return { form: fields, logo: file && file.received.size > 0 ? file : undefined }
}

async function taken(visit: Visit, { form, logo }: Sent): Promise<PageAnswer> {
  const { door, site, files, logger } = visit
  const begin = form.get('begin')
  if (begin === 'enter') return entered(visit, door.demo.enter())
  if (begin === 'demo') {
    const [email = '', password = ''] = [form.get('email')?.trim(), form.get('password')]
    await door.demo.begin({ email, password })
    return { goTo: `${PATHS.setup}?token=${encodeURIComponent(form.get('token') ?? '')}` }
  }
  if (logo) await assertLogo(logo)
  const given = ASKED.map((name) => [name, form.get(name)?.trim() ?? ''] as const)
  assertWhole(new Map(given))
  const { user } = await door.setUp(Object.fromEntries(given.filter(([, value]) => value !== '')))
  // The workspace is there, with a logo or without: that one can be brought again.
  if (logo && files)
    await keepLogo(site.engine, files, logo).catch((err: unknown) =>
      logger.warn({ err }, 'setup: the logo could not be kept'),
    )
  return entered(visit, user)
}

/** What a person has to say, whom nobody would tell a generated password. Throws 422. */
function assertWhole(given: Fields): void {
  const missing = (['company', 'email', 'password'] as const).filter((name) => !given.get(name))
  if (missing.length === 0) return
  throw validationError(
    missing.map((field) => ({ field, message: 'is required', code: 'required' as const })),
  )
}

/** Signs the first person in: who had the token has just said who they are. */
async function entered(
  { site, secretKey, request, response }: Visit,
  login: string | undefined,
): Promise<PageAnswer> {
  const { services } = site.engine
  const person = login === undefined ? undefined : await findPerson(services, login)
  if (!person) return { goTo: PATHS.login }
  await beginSession({ services, secretKey, request, response }, person, { byPage: true })
  return { goTo: PATHS.home }
}
