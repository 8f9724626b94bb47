import { hash } from 'node:crypto'
import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { isObject } from '../../../engine/base/json-text.ts'
import type { Person } from '../people.ts'

/** The workspace as browsers know it for passkeys: they work on its own address alone. */
export interface RelyingParty {
  /** Host name: `erp.example.com`. */
  readonly id: string
  /** `https://erp.example.com` */
  readonly origin: string
}

/** What is kept of a passkey, sealed. */
export interface PasskeyData {
  /** The public key, base64url. */
  readonly publicKey: string
  readonly transports: readonly string[]
}

/** A passkey as it is asked for: the id its device knows it by, what is kept of it, how often it was used. */
export interface KnownPasskey extends PasskeyData {
  readonly credential: string
  readonly counter: number
}

/** Algorithms of signatures, as COSE numbers them: EdDSA, ES256, RS256. Some device knows each; nothing newer is tried. */
const ALGORITHMS = [-8, -7, -257]

/**
 * Relying party of the address people come by; undefined where browsers offer no passkeys: without https (but on
 * `localhost`), and for an address of numbers.
 */
export function relyingParty(baseUrl: string): RelyingParty | undefined {
  const { hostname, origin, protocol } = new URL(baseUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined
  return protocol === 'https:' || isLocal ? { id: hostname, origin } : undefined
}

/** Options by which a browser makes a passkey for somebody. */
export async function creationOptions(
  { id: rpID }: RelyingParty,
  rpName: string,
  { login, fullName }: Person,
  known: readonly KnownPasskey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  return generateRegistrationOptions({
    rpID,
    rpName,
    userName: login,
    userDisplayName: fullName,
    // Devices keep one passkey for each id; it tells nothing of who that is.
    userID: new Uint8Array(Buffer.from(hash('sha256', `${rpID} ${login}`), 'hex')),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ credential: id }) => ({ id })),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  })
}

/** Passkey that a browser has made by these options; undefined where what it sent does not prove one. */
export async function madePasskey(
  party: RelyingParty,
  { challenge }: PublicKeyCredentialCreationOptionsJSON,
  response: unknown,
): Promise<KnownPasskey | undefined> {
  if (!hasForm(response)) return undefined
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const found = await verifyRegistrationResponse({
    response: response as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(notProven)
  if (!found?.verified) return undefined
  const { id, publicKey, counter } = found.registrationInfo.credential
  const transports = found.registrationInfo.credential.transports ?? []
  return {
    credential: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    transports,
    counter,
  }
}

/** Options by which a browser proves that one of these passkeys is there. */
export async function requestOptions(
  { id: rpID }: RelyingParty,
  known: readonly KnownPasskey[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  return generateAuthenticationOptions({
    rpID,
    userVerification: 'preferred',
    allowCredentials: known.map(({ credential: id, transports }) => ({
      id,
      transports: transports as never,
    })),
  })
}

/** Passkey, with its new count, that a browser has proven by these options; undefined where it has not. */
export async function provenPasskey(
  party: RelyingParty,
  { challenge }: PublicKeyCredentialRequestOptionsJSON,
  known: readonly KnownPasskey[],
  response: unknown,
): Promise<KnownPasskey | undefined> {
  if (!hasForm(response)) return undefined
  const passkey = known.find(({ credential }) => credential === response.id)
  if (!passkey) return undefined
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const found = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
    credential: {
      id: passkey.credential,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(notProven)
  return found?.verified ? { ...passkey, counter: found.authenticationInfo.newCounter } : undefined
}

/** Whether this is worth asking the library about, which expects the form that browsers send. */
function hasForm(response: unknown): response is Record<string, unknown> {
  return isObject(response) && typeof response.id === 'string' && isObject(response.response)
}

/** The library throws for everything that is not as it has to be; a stranger has sent it. */
function notProven(_error: unknown): undefined {
  return undefined
}
