import { isUtf8 } from 'node:buffer'
import type { Request } from 'express'
import type { AppError } from '../../engine/base/errors.ts'
import type { Person } from '../auth/people.ts'
import type { Session } from '../auth/sessions.ts'
import { badRequest, hasBody, readBytes, unsupported } from '../http/body.ts'
import { heldOfGuests } from '../http/held-bytes.ts'
import type { Html } from '../http/html.ts'
import { readQuery } from '../http/query-string.ts'
import type { ApiResponse } from '../http/request-state.ts'
import type { BrowserWords } from '../site/browser-words.ts'

/** Texts by name; of the same name the last counts. */
export type Fields = ReadonlyMap<string, string>

/** A request for a page. */
export interface Visit {
  readonly request: Request
  readonly response: ApiResponse
  readonly query: Fields
  /** Fields of a form that was sent. */
  readonly form: Fields
  /** Person who is signed in, if somebody is. */
  readonly visitor: Visitor | undefined
  /** Words of their browser's language. */
  readonly words: BrowserWords
}

/** Person who is signed in, in this browser. */
export interface Visitor {
  readonly person: Person
  readonly session: Session
  /** Token that every form of theirs carries as `csrf_token`. */
  readonly csrfToken: string
}

/** A page, drawn once it is known what the workspace is called. */
export type Draw = (workspace: string) => Html

/** Answer of a page: itself, or the address to go on to. */
export type PageAnswer =
  | {
      readonly status?: number
      readonly page: Draw
      readonly headers?: Readonly<Record<string, string>>
    }
  | { readonly goTo: string }

/** A page with a form on it: as it is shown first, or again with the status of what was wrong. */
export function formAnswer(page: Draw, error: AppError | undefined): PageAnswer {
  return error ? { status: error.status, headers: error.headers, page } : { page }
}

const FORM = 'application/x-www-form-urlencoded'

/** Most bytes of a form: the longest has a text of some thousand characters. */
const MOST_OF_FORM = 16 * 1024

/**
 * The fields of a form; none for a request without a body. Throws 413, 415 and 400 for what is no form, UNAVAILABLE
 * while too many arrive at once.
 */
export async function readForm(request: Request): Promise<Fields> {
  if (request.method !== 'POST' || !hasBody(request)) return new Map()
  const type = request.headers['content-type'] ?? 'none'
  if (type.split(';')[0]?.trim().toLowerCase() !== FORM)
    throw unsupported(`expected Content-Type: ${FORM}, got ${type}`)
  const held = heldOfGuests(request)
  const bytes = await readBytes(request, { most: MOST_OF_FORM, held })
  if (!isUtf8(bytes)) throw badRequest('expected a form in UTF-8, got bytes that are not')
  return new Map(readQuery(`?${bytes.toString('latin1')}`))
}

/** The parameters of the address. */
export function readParameters({ url }: Request): Fields {
  return new Map(readQuery(url))
}
