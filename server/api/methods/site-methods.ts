import { hasScope, isManager } from '../../../engine/access/actor.ts'
import { METHOD_PREFIX } from '../../../engine/base/brand.ts'
import { AppError, validationError } from '../../../engine/base/errors.ts'
import { makePairAnew } from '../../auth/key-making.ts'
import type { KeyEnvironment } from '../../auth/key-text.ts'
import { findPerson } from '../../auth/people.ts'
import { sendJson } from '../../http/answer.ts'
import { keepContactMessage, readContactMessage } from '../../site/contact-message.ts'
import { requestPasswordReset } from '../../site/password-reset.ts'
import { readSignUp, SIGN_UP_MESSAGES, type SignUpOutcome, signUp } from '../../site/sign-up.ts'
import { networkOf, type Site } from '../../site/site.ts'
import { ANSWERED, type Method, type MethodCall, type Methods } from './method.ts'

/** Methods of surface A for those not signed in: forms, sign-up and forgotten passwords (spec §4). */
export function siteMethods(site: Site): Methods {
  return {
    [`${METHOD_PREFIX}.analytics.contact.submit_contact`]: contactForm(site, 'submit_contact'),
    [`${METHOD_PREFIX}.marketing.api.send_contact_message`]: contactForm(
      site,
      'send_contact_message',
    ),
    [`${METHOD_PREFIX}.auth.signup.sign_up`]: {
      verbs: ['POST'],
      access: 'guest',
      async run({ args, request, response }) {
        const wanted = readSignUp(args, { needsDatacenter: true })
        // The one answer of surface A that does not stand under `message` (spec §2).
        sendJson(
          response,
          200,
          JSON.stringify(shownOutcome(await signUp(site, wanted, networkOf(request)))),
        )
        return ANSWERED
      },
    },
    'frappe.core.doctype.user.user.sign_up': {
      verbs: ['POST'],
      access: 'guest',
      async run({ args, request }) {
        const wanted = readSignUp(args, { needsDatacenter: false })
        return shownOutcome(await signUp(site, wanted, networkOf(request)))
      },
    },
    'frappe.core.doctype.user.user.reset_password': {
      verbs: ['POST'],
      access: 'guest',
      async run({ args, request }) {
        await requestPasswordReset(site, textOf(args, 'user'), networkOf(request))
        return 'Password reset instructions have been sent to your email'
      },
    },
    'frappe.core.doctype.user.user.generate_keys': {
      verbs: ['POST'],
      access: 'user',
      run: (call) => generateKeys(call, site.env),
    },
  }
}

/** 1 with an account, 0 without; and what the person is told (erp-semantics.md §1.2). */
function shownOutcome(outcome: SignUpOutcome): readonly [flag: 0 | 1, message: string] {
  return [outcome === 'made' ? 1 : 0, SIGN_UP_MESSAGES[outcome]]
}

function contactForm(site: Site, form: string): Method {
  return {
    verbs: ['POST'],
    access: 'guest',
    async run({ args, request }) {
      await keepContactMessage(site, form, readContactMessage(args), networkOf(request))
      return { ok: true }
    },
  }
}

/** A new pair of key and secret: for oneself when signed in, for anybody by a System Manager. */
async function generateKeys({ context, args }: MethodCall, env: KeyEnvironment): Promise<object> {
  const { actor, services } = context
  const login = textOf(args, 'user')
  // A pair of a lower scope does not raise itself.
  const isOwn = actor.kind === 'user' && actor.user?.login === login && hasScope(actor, 'admin')
  const mayManage = isManager(actor) && actor.scope === 'admin'
  if (!isOwn && !mayManage) {
    throw new AppError(
      'FORBIDDEN',
      'only a System Manager makes API keys for somebody else: ask one of them',
    )
  }
  const person = await findPerson(services, login)
  if (!person) throw new AppError('NOT_FOUND', `there is no user ${JSON.stringify(login)}`)
  const wanted = { login: person.login, env }
  const pair = await services.database.write((tx) => makePairAnew(tx, services, actor, wanted))
  services.eventsCommitted()
  return { api_key: pair.api_key, api_secret: pair.api_secret }
}

function textOf(args: MethodCall['args'], field: string): string {
  const value = args[field]
  if (typeof value === 'string' && value !== '') return value
  throw validationError([{ field, message: 'expected a user name, got nothing', code: 'required' }])
}
