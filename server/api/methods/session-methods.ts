import { AppError } from '../../../engine/base/errors.ts'
import type { Engine } from '../../../engine/index.ts'
import { signIn } from '../../auth/accounts.ts'
import { attemptFrom, beginSession, leaveSession } from '../../auth/browser-session.ts'
import { relyingParty } from '../../auth/factors/passkeys.ts'
import { finishSignIn, secondStep } from '../../auth/factors/second-step.ts'
import { assertSameOrigin, csrfToken } from '../../auth/forgery.ts'
import type { Person } from '../../auth/people.ts'
import { sendJson } from '../../http/answer.ts'
import { PATHS } from '../../pages/page-paths.ts'
import { ANSWERED, type Method, type MethodCall, type Methods } from './method.ts'

export interface SessionMethodDeps {
  readonly engine: Engine
  readonly secretKey: Buffer
  /** Further origins whose pages may sign people in. */
  readonly origins: readonly string[]
  /** Address people come by: passkeys work there. */
  readonly baseUrl: () => string
}

/** `login`, `logout` and who is signed in (erp-semantics.md §1.2, §1.4). */
export function sessionMethods(deps: SessionMethodDeps): Methods {
  return {
    login: login(deps),
    logout: logout(deps),
    'frappe.auth.get_logged_user': {
      verbs: ['GET', 'POST'],
      access: 'user',
      run: async ({ context: { actor } }) => actor.user?.login ?? actor.name,
    },
    'frappe.sessions.get_csrf_token': {
      verbs: ['GET', 'POST'],
      access: 'user',
      run: async ({ response }) => {
        const { session } = response.locals
        return session === undefined ? '' : csrfToken(deps.secretKey, session.id)
      },
    },
  }
}

/** The body has its fields at the top, as Frappe's has. */
function login(deps: SessionMethodDeps): Method {
  const { engine, origins, secretKey } = deps
  return {
    verbs: ['POST'],
    access: 'guest',
    async run({ request, response, args }) {
      assertSameOrigin(request, origins)
      const { services } = engine
      const person = await signedIn(deps, request, response, args)
      if (!person) return ANSWERED
      await beginSession({ services, request, response, secretKey }, person, { byPage: false })
      const { fullName: full_name } = person
      sendJson(
        response,
        200,
        JSON.stringify({ message: 'Logged In', home_page: PATHS.app, full_name }),
      )
      return ANSWERED
    },
  }
}

/**
 * The person who has signed in; undefined where the answer is a ticket for the second step (`tmp_id`, as Frappe names
 * it), which is sent with `otp` or `passkey`. Throws FORBIDDEN for who has to set a second factor up first.
 */
async function signedIn(
  { engine, secretKey, baseUrl }: SessionMethodDeps,
  request: MethodCall['request'],
  response: MethodCall['response'],
  { usr, pwd, tmp_id, otp, passkey }: MethodCall['args'],
): Promise<Person | undefined> {
  const { services } = engine
  const deps = { services, secretKey }
  const party = relyingParty(baseUrl())
  const from = (login: string) => attemptFrom({ request, secretKey }, login)
  if (tmp_id !== undefined) {
    // A form or a client with numbers has lost the zeros at the front.
    const code = typeof otp === 'number' ? String(otp).padStart(6, '0') : textOf(otp)
    return finishSignIn(deps, textOf(tmp_id), { code, passkey }, { party, from })
  }
  const person = await signIn(services, textOf(usr), textOf(pwd), from(textOf(usr)))
  const step = await secondStep(deps, person, party)
  if (step) {
    const { ticket, ...verification } = step
    const body = { message: 'Second factor needed', verification, tmp_id: ticket }
    response.setHeader('Cache-Control', 'no-store')
    sendJson(response, 200, JSON.stringify(body))
    return undefined
  }
  if (person.needsFactor)
    throw new AppError(
      'FORBIDDEN',
      `a role of yours asks for a second factor: sign in at ${baseUrl()}${PATHS.login} to set one up`,
    )
  return person
}

/** Signing out twice does no harm; Frappe's clients do it by GET, so a GET of another site is refused here. */
function logout({ engine, origins }: SessionMethodDeps): Method {
  return {
    verbs: ['GET', 'POST'],
    access: 'guest',
    async run({ request, response }) {
      assertSameOrigin(request, origins)
      await leaveSession({ services: engine.services, request, response })
      return undefined
    },
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
