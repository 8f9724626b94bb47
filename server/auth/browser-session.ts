import type { Request, Response } from 'express'
import type { Services } from '../../engine/documents/work/context.ts'
import { cameFrom } from './address-came-from.ts'
import { knownDevice, rememberDevice } from './browser-known.ts'
import { actorOf, type Person } from './people.ts'
import { logSecurity } from './security-log.ts'
import { clearSessionCookies, sessionCookie, setSessionCookies } from './session-cookies.ts'
import { endSession, MAX_AGENT, startSession } from './sessions.ts'
import type { Attempt } from './throttle.ts'

/** The browser of a request, and where its session is kept. */
interface BrowserCall {
  readonly services: Services
  readonly request: Request
  readonly response: Response
  /** The workspace's own 32 bytes. */
  readonly secretKey: Buffer
}

/** Where an attempt to sign in comes from, and whether its browser is known to the account. */
export function attemptFrom(
  { request, secretKey }: Pick<BrowserCall, 'request' | 'secretKey'>,
  login: string,
): Pick<Attempt, 'address' | 'device'> {
  return { address: request.ip ?? '', device: knownDevice(request, secretKey, login) }
}

/**
 * Signs somebody in, in the browser of a request: a session with a new cookie; the one it had ends (reliability.md
 * S1). `byPage`: the session's changes need its token.
 */
export async function beginSession(
  { services, request, response, secretKey }: BrowserCall,
  person: Person,
  { byPage }: { readonly byPage: boolean },
): Promise<void> {
  await endOld(services, request)
  const agent = request.headers['user-agent']
  const actor = cameFrom(request, actorOf(person))
  const start = { byPage, address: actor.address, agent }
  const { token } = await startSession(services, person, start, (tx, { id, login }) => {
    const more = { agent: agent?.slice(0, MAX_AGENT) ?? null }
    return logSecurity(tx, services, actor, { kind: 'signed_in', id, person: login, more })
  })
  services.eventsCommitted()
  setSessionCookies(request, response, token, person)
  rememberDevice(request, response, secretKey, person.login)
}

/** Signs out: the session of a browser, if it has one, ends there and in the database. */
export async function leaveSession({
  services,
  request,
  response,
}: Omit<BrowserCall, 'secretKey'>): Promise<void> {
  await endOld(services, request)
  clearSessionCookies(request, response)
}

async function endOld(services: Services, request: Request): Promise<void> {
  const token = sessionCookie(request)
  if (token !== undefined) await endSession(services, token)
}
