import type { IncomingHttpHeaders } from 'node:http'

/** What a request brought as credential; two headers that differ are no credential at all. */
export type Credential =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'differing' }

const BEARER = 'bearer '

/** Reads `Authorization: Bearer <key>` and `X-API-Key: <key>` (contract §3, Credentials); never the query. */
export function readCredential(headers: IncomingHttpHeaders): Credential {
  const bearer = bearerOf(headers.authorization)
  const header = headers['x-api-key']
  const plain = typeof header === 'string' ? header.trim() : undefined
  if (bearer !== undefined && plain !== undefined && bearer !== plain) return { kind: 'differing' }
  const key = bearer ?? plain
  return key === undefined ? { kind: 'none' } : { kind: 'key', key }
}

/** Another scheme counts as a credential we do not know, so that it is refused and not ignored. */
function bearerOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  const isBearer = authorization.slice(0, BEARER.length).toLowerCase() === BEARER
  return isBearer ? authorization.slice(BEARER.length).trim() : ''
}
