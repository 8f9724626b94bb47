import type { Engine } from '../../../engine/index.ts'
import { signIn } from '../../auth/accounts.ts'
import { attemptFrom, beginSession, leaveSession } from '../../auth/browser-session.ts'
import { assertSameOrigin, csrfToken } from '../../auth/forgery.ts'
import { sendJson } from '../../http/answer.ts'
import { PATHS } from '../../pages/page-paths.ts'
import { ANSWERED, type Method, type Methods } from './method.ts'

export interface SessionMethodDeps {
  readonly engine: Engine
  readonly secretKey: Buffer
  /** Further origins whose pages may sign people in. */
  readonly origins: readonly string[]
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
function login({ engine, origins, secretKey }: SessionMethodDeps): Method {
  return {
    verbs: ['POST'],
    access: 'guest',
    async run({ request, response, args }) {
      assertSameOrigin(request, origins)
      const { services } = engine
      const { usr, pwd } = args
      const browser = { services, request, response, secretKey }
      const name = textOf(usr)
      const person = await signIn(services, name, textOf(pwd), attemptFrom(browser, name))
      await beginSession(browser, person, { byPage: false })
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
