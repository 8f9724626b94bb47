import type { Request } from 'express'
import { type AppError, validationError } from '../../engine/base/errors.ts'
import { isObject } from '../../engine/base/json-text.ts'
import {
  assertNotCompressed,
  assertUtf8,
  type BodyLimits,
  badRequest,
  hasBody,
  isJsonType,
  isMultipart,
  parseObject,
  readBytes,
  unsupported,
} from '../http/body.ts'
import { turnOfBody } from '../http/body-turns.ts'
import { heldOfGuests, heldOfPeople } from '../http/held-bytes.ts'
import { type Parameters, readQuery } from '../http/query-string.ts'
import type { ApiResponse, Handler } from '../http/request-state.ts'
import { FrappeError } from './frappe-error.ts'
import { parsedParameter } from './json-text.ts'

/** Merged parameters of a request of surface A; texts, or what JSON can hold. */
export type Args = Readonly<Record<string, unknown>>

/** Sources of a request's parameters: all of them merged, and those of the query apart. */
export interface SentArgs {
  readonly args: Args
  /** Parameters of the query alone: where JSON replaces them, `cmd` and `run_method` may still stand there. */
  readonly query: Args
}

const UPLOAD_METHOD = 'upload_file'
const UPLOAD_PATH = `/method/${UPLOAD_METHOD}`

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

/** Most bytes that somebody without a credential may send: a sign-in, a message, a set-up are short. */
const MOST_OF_GUEST = 64 * 1024

/**
 * Reads the parameters of a request into `response.locals.body`, for `argsOf` (erp-semantics.md §1.1): a JSON
 * body replaces those of the query, fields of a form are added to them, and of the same name the last wins.
 * A GET has its query alone. Throws 413 above 1 MB, 415 for another type, 400 and 422 for what cannot be read.
 */
export function readArgs(): Handler {
  return async function readArgsStage(request, response, next) {
    const query = namedValues(readQuery(request.url))
    if (isUpload(request, query)) {
      response.locals.body = { args: query, query } satisfies SentArgs
      return next()
    }
    const isGuest = response.locals.actor.kind === 'guest'
    const limits = isGuest
      ? { most: MOST_OF_GUEST, held: heldOfGuests(request) }
      : { held: heldOfPeople(request) }
    const args = (await bodyArgs(request, response, { query, limits })) ?? query
    response.locals.body = { args, query } satisfies SentArgs
    next()
  }
}

/** A form that a method reads itself, because it may hold a file of any size; guests have none to bring. */
function isUpload(request: Request, query: Args): boolean {
  if (request.method !== 'POST' || !isMultipart(request)) return false
  return request.path === UPLOAD_PATH || (request.path === '/' && query.cmd === UPLOAD_METHOD)
}

/** Parameters that `readArgs` has put into `response.locals`. */
export function argsOf({ locals }: ApiResponse): SentArgs {
  return locals.body as SentArgs
}

/** True for a parameter that has a value: clients send `""` and null for those they leave out. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** The text of a parameter that names something, wherever it was sent; undefined when it is empty or no text. */
export function textArg({ args, query }: SentArgs, name: string): string | undefined {
  const value = args[name] ?? query[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

async function bodyArgs(
  request: Request,
  response: ApiResponse,
  { query, limits }: { readonly query: Args; readonly limits: BodyLimits },
): Promise<Args | undefined> {
  if (request.method === 'GET' || request.method === 'HEAD' || !hasBody(request)) return undefined
  assertNotCompressed(request)
  const bytes = await readBytes(request, limits)
  // Clients name a type on requests without a body too.
  if (bytes.length === 0) return undefined
  await turnOfBody(request, response, bytes.length)
  const type = request.headers['content-type'] ?? ''
  if (isJsonType(type)) return withoutPrototype(parseObject(bytes))
  const media = type.split(';')[0]!.trim().toLowerCase()
  if (media === FORM) return { ...query, ...formFields(bytes) }
  if (media === MULTIPART) return { ...query, ...(await multipartFields(bytes, type)) }
  throw unsupported(
    `expected Content-Type: application/json, ${FORM} or ${MULTIPART}, got ${type === '' ? 'none' : type}`,
  )
}

function formFields(bytes: Buffer): Args {
  assertUtf8(bytes)
  return namedValues(readQuery(`?${bytes.toString('utf8')}`))
}

/** Node's own reader of multipart bodies; it knows no streams, and bodies here are short. */
async function multipartFields(bytes: Buffer, type: string): Promise<Args> {
  let form: FormData
  try {
    form = await new Response(new Uint8Array(bytes), {
      headers: { 'Content-Type': type },
    }).formData()
  } catch {
    throw badRequest('expected a multipart form, got a body that is none')
  }
  const fields: [string, string][] = []
  for (const [name, value] of form as Iterable<[string, File | string]>) {
    if (typeof value !== 'string') throw noFiles(name)
    if (`${name}${value}`.includes('\0'))
      throw validationError([
        {
          field: name.replaceAll('\0', '\\u0000'),
          message: 'text may not contain the NUL character',
          code: 'wrong_type',
        },
      ])
    fields.push([name, value])
  }
  return namedValues(fields)
}

/** A file is taken by two methods alone; another form with one is refused whole, so that nobody takes it for stored. */
function noFiles(name: string): AppError {
  return new FrappeError(
    'ValidationError',
    `${name}: files are taken by upload_file; send the fields without them`,
  )
}

/** The last of each name; `a[]` adds to a list named `a`. No name is special: the object has no prototype. */
function namedValues(parameters: Parameters): Args {
  const values = blankArgs()
  for (const [name, value] of parameters) {
    if (!name.endsWith('[]')) {
      values[name] = value
      continue
    }
    const list = name.slice(0, -2)
    const known = values[list]
    // In place: a long form has thousands of them, and a copy for each is slow.
    if (Array.isArray(known)) known.push(value)
    else values[list] = [value]
  }
  return values
}

function withoutPrototype(body: object): Args {
  return Object.assign(blankArgs(), body)
}

function blankArgs(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>
}

/**
 * The document of a create or an update: the parameters themselves, or what stands under `data` as JSON text
 * or as an object (Frappe's older clients).
 */
export function documentArg(args: Args): Readonly<Record<string, unknown>> {
  const { data } = args
  if (isObject(data)) return data
  if (typeof data !== 'string' || !data.trimStart().startsWith('{')) return args
  return parsedParameter(data, 'data') as Record<string, unknown>
}
