import type { Request, Response } from 'express'
import type { Services } from '../../engine/documents/work/context.ts'
import type { Person } from './people.ts'
import { clearSessionCookies, sessionCookie, setSessionCookies } from './session-cookies.ts'
import { endSession, startSession } from './sessions.ts'

/** The browser of a request, and where its session is kept. */
interface BrowserCall {
  readonly services: Services
  readonly request: Request
  readonly response: Response
}

/**
 * Signs somebody in, in the browser of a request: a session with a new cookie; the one it had ends (reliability.md
 * S1). `byPage`: the session's changes need its token.
 */
export async function beginSession(
  { services, request, response }: BrowserCall,
  person: Person,
  { byPage }: { readonly byPage: boolean },
): Promise<void> {
  await endOld(services, request)
  const agent = request.headers['user-agent']
  const { token } = await startSession(services, person, { byPage, address: request.ip, agent })
  setSessionCookies(request, response, token, person)
}

/** Signs out: the session of a browser, if it has one, ends there and in the database. */
export async function leaveSession({ services, request, response }: BrowserCall): Promise<void> {
  await endOld(services, request)
  clearSessionCookies(request, response)
}

async function endOld(services: Services, request: Request): Promise<void> {
  const token = sessionCookie(request)
  if (token !== undefined) await endSession(services, token)
}
