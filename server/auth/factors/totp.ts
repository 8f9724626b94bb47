import type { Person } from '../people.ts'

/** Seconds a code is shown for, as all apps have it. */
const PERIOD = 30

/** Codes before and after the one of now that are taken: clocks differ. */
const WINDOW = 1

/** Form of a code, spaces left out. */
const CODE = /^\d{6}$/

/** A secret for an app, and the address that an app reads it from. */
export interface TotpSecret {
  /** Base32, as it is typed by hand. */
  readonly secret: string
  /** `otpauth://totp/Acme:ann@example.com?issuer=Acme&secret=…` */
  readonly uri: string
}

/** A new secret of 160 random bits; `issuer` is the workspace, as the app names it. */
export async function newTotpSecret(issuer: string, { login }: Person): Promise<TotpSecret> {
  const { Secret } = await import('otpauth')
  const secret = new Secret({ size: 20 }).base32
  return { secret, uri: await totpUri(issuer, login, secret) }
}

/** The address by which an app takes a secret. */
export async function totpUri(issuer: string, login: string, secret: string): Promise<string> {
  const { Secret, TOTP } = await import('otpauth')
  return new TOTP({ issuer, label: login, secret: Secret.fromBase32(secret) }).toString()
}

/** Whether a text has the form of a code. */
export function looksLikeTotp(text: string): boolean {
  return CODE.test(text.replace(/\s/g, ''))
}

/** The step of time that a code is of; undefined for a wrong one. Each step counts once: ask what the last one was. */
export async function totpStep(
  secret: string,
  code: string,
  now: number,
): Promise<number | undefined> {
  const { Secret, TOTP } = await import('otpauth')
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD })
  const token = code.replace(/\s/g, '')
  const delta = totp.validate({ token, timestamp: now, window: WINDOW })
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD) + delta
}
