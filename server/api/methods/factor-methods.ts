import { METHOD_PREFIX } from '../../../engine/base/brand.ts'
import { AppError, validationError } from '../../../engine/base/errors.ts'
import { attemptFrom } from '../../auth/browser-session.ts'
import { beginApp, beginPasskey, finishEnrolment } from '../../auth/factors/enrol.ts'
import {
  asOneself,
  type OwnAct,
  ownFactors,
  removeFactor,
  renewCodes,
} from '../../auth/factors/own-factors.ts'
import { relyingParty } from '../../auth/factors/passkeys.ts'
import type { FactorDeps } from '../../auth/factors/tickets.ts'
import { findPerson, type Person } from '../../auth/people.ts'
import type { Site } from '../../site/site.ts'
import { workspaceName } from '../../site/workspace-name.ts'
import type { MethodCall, Methods } from './method.ts'

/** One's own second factors: `svc_brand.auth.second_factor.…`. Each change takes the password or a code as `proof`. */
export function factorMethods(site: Site, secretKey: Buffer): Methods {
  const deps: FactorDeps = {
    get services() {
      return site.engine.services
    },
    secretKey,
  }
  const named = (name: string): string => `${METHOD_PREFIX}.auth.second_factor.${name}`
  const party = () => relyingParty(site.baseUrl())
  const own = (run: (person: Person, call: MethodCall, by: OwnAct) => Promise<unknown>) =>
    ({
      verbs: ['POST'],
      access: 'user',
      async run(call) {
        const person = await personOf(deps, call)
        call.response.setHeader('Cache-Control', 'no-store')
        return run(person, call, {
          person,
          proof: textOf(call.args.proof),
          from: attemptFrom({ request: call.request, secretKey }, person.login),
        })
      },
    }) satisfies Methods[string]
  return {
    [named('list')]: { ...own((person) => ownFactors(deps, person)), verbs: ['GET', 'POST'] },
    [named('begin')]: own(async (person, { args }, by) => {
      const where = party()
      const kind = textOf(args.kind)
      if (kind !== 'totp' && kind !== 'passkey')
        throw validationError([
          { field: 'kind', message: 'expected totp or passkey', code: 'not_an_option' },
        ])
      if (kind === 'passkey' && !where)
        throw new AppError(
          'CONFLICT',
          `passkeys need https and an address with a name, got ${site.baseUrl()}: set SVC_BASE_URL`,
        )
      await asOneself(deps, by, async () => undefined)
      const issuer = await workspaceName(site)
      return where && kind === 'passkey'
        ? beginPasskey(deps, person, issuer, where)
        : beginApp(deps, person, issuer, 'add')
    }),
    [named('confirm')]: own(async ({ login }, { args, request }) => {
      const { ticket, passkey } = args
      const sent = { code: textOf(args.code), name: textOf(args.name), passkey }
      const options = { purpose: 'add', party: party(), login, address: request.ip ?? '' } as const
      const { codes, person } = await finishEnrolment(deps, textOf(ticket), sent, options)
      return {
        ...(await ownFactors(deps, person)),
        ...(codes ? { new_recovery_codes: codes } : {}),
      }
    }),
    [named('remove')]: own(async (_person, { args }, by) => {
      await removeFactor(deps, by, textOf(args.id))
      return { ok: true }
    }),
    [named('new_recovery_codes')]: own(async (_person, _call, by) => ({
      new_recovery_codes: await renewCodes(deps, by),
    })),
  }
}

/** The person of a call. Throws FORBIDDEN for a key or pair: these sign nobody in, and have no second factor. */
async function personOf({ services }: FactorDeps, { response }: MethodCall): Promise<Person> {
  const { session } = response.locals
  const person = session && (await findPerson(services, session.login))
  if (!person)
    throw new AppError(
      'FORBIDDEN',
      'second factors are those of people: sign in, keys and pairs have none',
    )
  return person
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
