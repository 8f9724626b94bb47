import type { IncomingMessage } from 'node:http'
import type { Registry } from '../../engine/definition/model/registry.ts'

/** A request that the direct way takes. */
export interface DirectMatch {
  /** Its route below `/v1`: `GET /:resource/:id`. */
  readonly route: string
  readonly params: Readonly<Record<string, string>>
  /** Path below `/v1`, as it came, and the same with its query. */
  readonly path: string
  readonly url: string
}

/**
 * A record route as nearly every client writes it. Whatever is written in another way (a slash at the end, a fragment,
 * characters that are no part of a URL) is Express's to judge, as are ids that begin with `_`: some are routes.
 */
const RECORD =
  /^\/v1(\/([a-z][a-z0-9-]*)(?:\/([\w.~!$&'()*+,;=:@%-]+)(?:\/(?:(submit|cancel|amend|update-submitted)|actions\/([\w-]+)))?)?)(\?[!-"$-~]*)?$/

/** A client that asks for what is no JSON, or opens an address in a browser, gets it from elsewhere. */
const JSON_ACCEPTED = /^(?:\*\/\*|application\/json(?:$|[,;]))/

/** A body that is no JSON, such as a file, is for a route of its own. */
const JSON_SENT = /^application\/json(?:$|[ ;])/i

/** The record route of a request, of a DocType that is there; undefined for all that Express answers. */
export function matchDirectly(
  { method, url = '', headers, httpVersion }: IncomingMessage,
  registry: Pick<Registry, 'bySlug'>,
): DirectMatch | undefined {
  if (method !== 'GET' && method !== 'POST' && method !== 'PATCH') return undefined
  if (httpVersion !== '1.1' || headers.host === undefined) return undefined
  if (headers.accept !== undefined && !JSON_ACCEPTED.test(headers.accept)) return undefined
  const sentType = headers['content-type']
  if (method !== 'GET' && sentType !== undefined && !JSON_SENT.test(sentType)) return undefined
  const found = RECORD.exec(url)
  if (!found) return undefined
  const [, path = '', resource = '', sent, verb, action, query = ''] = found
  if (!registry.bySlug(resource)) return undefined
  const matched = { path, url: path + query }
  if (sent === undefined) return { ...matched, route: `${method} /:resource`, params: { resource } }
  const id = decoded(sent)
  if (id === undefined || id.startsWith('_')) return undefined
  if (verb !== undefined)
    return { ...matched, route: `${method} /:resource/:id/${verb}`, params: { resource, id } }
  if (action !== undefined) {
    const params = { resource, id, name: action }
    return { ...matched, route: `${method} /:resource/:id/actions/:name`, params }
  }
  return { ...matched, route: `${method} /:resource/:id`, params: { resource, id } }
}

/** A part of the path; undefined for one that is not valid percent-encoded UTF-8. */
function decoded(part: string): string | undefined {
  if (!part.includes('%')) return part
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
