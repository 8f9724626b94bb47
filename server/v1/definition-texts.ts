import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Request } from 'express'
import type { Registry } from '../../engine/definition/model/registry.ts'
import { sendJson } from '../http/answer.ts'
import { hasTag } from '../http/entity-tags.ts'
import type { ApiResponse } from '../http/request-state.ts'

/** JSON made from the loaded definitions, with the tag of these very bytes. */
export interface TaggedText {
  readonly json: string
  readonly etag: string
  /** Returns the JSON compressed: once, not once a request. */
  gzipped(): Buffer
}

/**
 * Keeps what `make` made of the definitions, or of a view of them (`knownRegistry`), until they are loaded anew: the
 * first request pays for it.
 */
export function perDefinitions<T extends object>(
  make: (registry: Registry) => T,
): (registry: Registry) => T {
  const kept = new WeakMap<Registry, T>()
  return (registry) => {
    const known = kept.get(registry) ?? make(registry)
    kept.set(registry, known)
    return known
  }
}

/**
 * Keeps texts made of the definitions, by key, as `perDefinitions` does; all but the first request for one get the same
 * bytes. There is no limit to how many are kept, so the keys have to be as few as the definitions are.
 */
export function definitionTexts(
  make: (registry: Registry, key: string) => string,
): (registry: Registry, key: string) => TaggedText {
  const textsOf = perDefinitions(() => new Map<string, TaggedText>())
  return (registry, key) => {
    const texts = textsOf(registry)
    const known = texts.get(key)
    if (known) return known
    const text = taggedText(make(registry, key))
    texts.set(key, text)
    return text
  }
}

/** JSON with its tag. */
export function taggedText(json: string): TaggedText {
  let bytes: Buffer | undefined
  return {
    json,
    etag: `"${hash('sha256', json, 'base64url').slice(0, 27)}"`,
    gzipped: () => (bytes ??= gzipSync(json)),
  }
}

/** Answers the text, or 304 when the client has it already. */
export function sendTagged(request: Request, response: ApiResponse, text: TaggedText): void {
  const { json, etag } = text
  response.vary('Accept-Encoding')
  response.setHeader('ETag', etag)
  response.setHeader('Cache-Control', 'no-cache')
  const known = request.headers['if-none-match']
  if (known !== undefined && hasTag(known, etag)) {
    response.statusCode = 304
    response.end()
    return
  }
  if (!request.acceptsEncodings('gzip')) {
    sendJson(response, 200, json)
    return
  }
  const bytes = text.gzipped()
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Encoding', 'gzip')
  response.setHeader('Content-Length', bytes.length)
  response.end(bytes)
}
