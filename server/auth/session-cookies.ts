import type { Request, Response } from 'express'
import { TICKET_LIFETIME } from './factors/tickets.ts'
import type { Person } from './people.ts'
import { SESSION_LIFETIME } from './sessions.ts'

/** The cookie of a session (spec §5). */
const SESSION_COOKIE = 'sid'

/** The cookie of a sign-in that waits for its second step. */
const TICKET_COOKIE = 'sign_in'

/** Cookies that Frappe's clients read beside it; none of them is a secret or believed when it comes back. */
const TOLD = ['system_user', 'full_name', 'user_id', 'user_image', 'user_lang'] as const

/** The session cookie of a request; Frappe's clients send `Guest` after they signed out. */
export function sessionCookie(request: Pick<Request, 'headers'>): string | undefined {
  const value = cookieOf(request, SESSION_COOKIE)
  return value === 'Guest' ? undefined : value
}

/** The ticket of a browser that is between the two steps of a sign-in. */
export function ticketCookie(request: Pick<Request, 'headers'>): string | undefined {
  return cookieOf(request, TICKET_COOKIE)
}

function cookieOf({ headers }: Pick<Request, 'headers'>, name: string): string | undefined {
  for (const part of (headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at < 0 || part.slice(0, at).trim() !== name) continue
    const value = part.slice(at + 1).trim()
    return value === '' ? undefined : value
  }
  return undefined
}

/** Gives a browser the ticket of its sign-in, for this path alone. */
export function setTicketCookie(
  request: Request,
  response: Response,
  path: string,
  ticket: string,
): void {
  response.cookie(TICKET_COOKIE, ticket, {
    ...ticketOptions(request, path),
    maxAge: TICKET_LIFETIME,
  })
}

/** Takes it back. */
export function clearTicketCookie(request: Request, response: Response, path: string): void {
  response.clearCookie(TICKET_COOKIE, ticketOptions(request, path))
}

function ticketOptions(request: Request, path: string) {
  return { path, sameSite: 'lax', secure: isSecure(request), httpOnly: true } as const
}

/** Gives the browser its session and who it is of (erp-semantics.md §1.4). */
export function setSessionCookies(
  request: Request,
  response: Response,
  token: string,
  { login, fullName, image, language }: Person,
): void {
  const told: Readonly<Record<(typeof TOLD)[number], string>> = {
    system_user: 'yes',
    full_name: fullName,
    user_id: login,
    user_image: image ?? '',
    user_lang: language ?? 'en',
  }
  const options = {
    path: '/',
    sameSite: 'lax',
    secure: isSecure(request),
    maxAge: SESSION_LIFETIME,
  } as const
  response.cookie(SESSION_COOKIE, token, { ...options, httpOnly: true })
  for (const name of TOLD) response.cookie(name, told[name], options)
}

/** Takes all of them back. */
export function clearSessionCookies(request: Request, response: Response): void {
  const options = { path: '/', sameSite: 'lax', secure: isSecure(request) } as const
  response.clearCookie(SESSION_COOKIE, { ...options, httpOnly: true })
  for (const name of TOLD) response.clearCookie(name, options)
}

/** Name of the app's setting that says people reach it by https, though its own listener does not. */
export const HTTPS_BASE = 'https base'

/** Whether cookies of this request are for https alone. */
export function isSecure({ secure, app }: Request): boolean {
  return secure || app.get(HTTPS_BASE) === true
}
