import { hash } from 'node:crypto'
import type { Request } from 'express'
import type { Registry } from '../../engine/definition/registry.ts'
import { sendJson } from '../answer.ts'
import { hasTag } from '../entity-tags.ts'
import type { ApiResponse } from '../request-state.ts'

/** JSON made from the loaded definitions, with the tag of these very bytes. */
export interface TaggedText {
  readonly json: string
  readonly etag: string
}

/**
 * Keeps what `make` made of the definitions until they are loaded anew: the first request pays for it, the
 * others get the same bytes.
 */
export function definitionTexts(
  make: (registry: Registry, key: string) => string,
): (registry: Registry, key: string) => TaggedText {
  let madeOf: Registry | undefined
  const texts = new Map<string, TaggedText>()
  return (registry, key) => {
    if (madeOf !== registry) {
      madeOf = registry
      texts.clear()
    }
    const known = texts.get(key)
    if (known) return known
    const json = make(registry, key)
    const text = { json, etag: `"${hash('sha256', json, 'base64url').slice(0, 27)}"` }
    texts.set(key, text)
    return text
  }
}

/** Answers the text, or 304 when the client has it already. */
export function sendTagged(request: Request, response: ApiResponse, text: TaggedText): void {
  const { json, etag } = text
  response.setHeader('ETag', etag)
  response.setHeader('Cache-Control', 'no-cache')
  const known = request.headers['if-none-match']
  if (known !== undefined && hasTag(known, etag)) {
    response.statusCode = 304
    response.end()
    return
  }
  sendJson(response, 200, json)
}
