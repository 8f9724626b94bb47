import type { IncomingHttpHeaders } from 'node:http'

/** Credential in the headers of a request; two that differ are no credential at all. */
export type Credential =
  | { readonly kind: 'none' }
  /** A key of /v1. */
  | { readonly kind: 'key'; readonly key: string }
  /** The pair of surface A. */
  | { readonly kind: 'pair'; readonly key: string; readonly secret: string }
  /** Header in a form we do not know: refused and not ignored. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'differing' }

/**
 * Reads `Authorization: Bearer <key>`, `token <key>:<secret>`, `Basic base64(key:secret)` and `X-API-Key: <key>`
 * (contract §3, Credentials; erp-semantics.md §1.4); never the query.
 */
export function readCredential(headers: IncomingHttpHeaders): Credential {
  const given = authorizationOf(headers.authorization)
  const header = headers['x-api-key']
  const plain = typeof header === 'string' ? header.trim() : undefined
  if (plain === undefined) return given
  if (given.kind === 'none') return { kind: 'key', key: plain }
  return given.kind === 'key' && given.key === plain ? given : { kind: 'differing' }
}

function authorizationOf(header: string | undefined): Credential {
  if (header === undefined) return { kind: 'none' }
  const [, scheme = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(header.trim()) ?? []
  const value = rest.trim()
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return { kind: 'key', key: value }
    case 'token':
      return pairOf(value)
    case 'basic':
      return pairOf(Buffer.from(value, 'base64').toString('utf8'))
    default:
      return { kind: 'unknown' }
  }
}

function pairOf(text: string): Credential {
  const at = text.indexOf(':')
  if (at <= 0) return { kind: 'unknown' }
  return { kind: 'pair', key: text.slice(0, at), secret: text.slice(at + 1) }
}
