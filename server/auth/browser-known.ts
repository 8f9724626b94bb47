import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Request, Response } from 'express'
import { accountName } from './account-name.ts'
import { isSecure } from './session-cookies.ts'

/** Cookie of a browser in which somebody has signed in before: `id.mac.mac…`, a mac for each account. */
const COOKIE = 'known_device'
const LIFETIME = 365 * 24 * 60 * 60 * 1000

/** Accounts of one browser that are remembered, the latest. */
const MOST_ACCOUNTS = 5

const ID = /^[\w-]{22}$/
const MAC = /^[\w-]{43}$/

interface Device {
  readonly id: string
  readonly macs: readonly string[]
}

/**
 * Id of the browser, if somebody has signed in to this account with it before; undefined for all others. Its attempts are
 * counted apart, so that no stranger can keep the owner out. It opens nothing else.
 */
export function knownDevice(
  request: Pick<Request, 'headers'>,
  secretKey: Buffer,
  login: string,
): string | undefined {
  const device = deviceOf(request)
  if (!device) return undefined
  const expected = Buffer.from(macOf(secretKey, device.id, login))
  const isKnown = device.macs.some((mac) => timingSafeEqual(Buffer.from(mac), expected))
  return isKnown ? device.id : undefined
}

/** Remembers in the browser that this account was signed in to with it. */
export function rememberDevice(
  request: Request,
  response: Response,
  secretKey: Buffer,
  login: string,
): void {
  const { id, macs } = deviceOf(request) ?? { id: randomBytes(16).toString('base64url'), macs: [] }
  const own = macOf(secretKey, id, login)
  const kept = [own, ...macs.filter((mac) => mac !== own)].slice(0, MOST_ACCOUNTS)
  response.cookie(COOKIE, [id, ...kept].join('.'), {
    path: '/',
    sameSite: 'lax',
    httpOnly: true,
    secure: isSecure(request),
    maxAge: LIFETIME,
  })
}

function deviceOf({ headers }: Pick<Request, 'headers'>): Device | undefined {
  const [, text = ''] = /(?:^|;)\s*known_device=([^;\s]*)/.exec(headers.cookie ?? '') ?? []
  const [id = '', ...macs] = text.split('.', MOST_ACCOUNTS + 1)
  return ID.test(id) && macs.every((mac) => MAC.test(mac)) ? { id, macs } : undefined
}

function macOf(secretKey: Buffer, id: string, login: string): string {
  const text = JSON.stringify(['known device', id, accountName(login)])
  return createHmac('sha256', secretKey).update(text).digest('base64url')
}
