import { AppError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { ChildDefinition } from '../../engine/fields/field.ts'
import type { Engine } from '../../engine/index.ts'
import type { ApiResponse } from '../http/request-state.ts'
import { FrappeError } from './frappe-error.ts'
import type { Listed } from './lists/list.ts'

/** Context of a request: its actor and the tier it acts under, over the engine's current definitions. */
export function contextOf(engine: Engine, { locals }: ApiResponse): Context {
  return engine.context(locals.actor, locals.tier)
}

/** Refuses guests: 403, since 401 means a credential that is wrong (erp-semantics.md §0.12). */
export function assertSignedIn({ actor }: Context, what: string): void {
  if (actor.kind !== 'guest') return
  throw new AppError(
    'FORBIDDEN',
    `${what} is not for guests: sign in, or send "Authorization: token <api_key>:<api_secret>"`,
  )
}

/**
 * The DocType of that name as the caller knows it, child DocTypes too, and a note of it for the log and for the words of errors.
 * Throws 404.
 */
export function doctypeNamed(
  context: Context,
  { locals }: ApiResponse,
  name: unknown,
): DocTypeDefinition {
  const registry = context.services.knownRegistry(context)
  if (typeof name !== 'string' || name === '')
    throw new FrappeError('ValidationError', 'expected doctype to name a DocType')
  const definition = registry.byDoctype(name)
  if (!definition) throw doctypeNotFound(name)
  locals.resource = definition.slug
  return definition
}

/** Definition that a list is asked for by name: a DocType, or rows whose DocType stands in their parent's file. */
export function listedNamed(context: Context, response: ApiResponse, name: unknown): Listed {
  return rowsNamed(context, name) ?? doctypeNamed(context, response, name)
}

/** The rows of that DocType's name; undefined when it has records of its own. */
export function rowsNamed(context: Context, name: unknown): ChildDefinition | undefined {
  const registry = context.services.knownRegistry(context)
  return typeof name === 'string' ? registry.child(name) : undefined
}

/** DocType of that name, as `doctypeNamed` finds it; throws ValidationError for one of rows, which have no records. */
export function recordDoctype(
  context: Context,
  response: ApiResponse,
  name: unknown,
): DocTypeDefinition {
  const definition = doctypeNamed(context, response, name)
  if (!definition.isChild) return definition
  throw new FrappeError(
    'ValidationError',
    `${definition.doctype} has rows of other documents: read and change them with their document`,
  )
}

/** 404 for a DocType. */
export function doctypeNotFound(name: string): AppError {
  return new AppError('NOT_FOUND', `DocType ${name.slice(0, 140)} not found`)
}

/** A record's name as text. NUL is in none, and PostgreSQL would not take it. Throws 417, 404. */
export function recordName(definition: Pick<DocTypeDefinition, 'doctype'>, name: unknown): string {
  const text = typeof name === 'number' ? String(name) : name
  if (typeof text !== 'string' || text === '')
    throw new FrappeError('ValidationError', `expected name to name a ${definition.doctype}`)
  if (text.includes('\0') || !text.isWellFormed())
    throw new AppError('NOT_FOUND', `${definition.doctype} ${JSON.stringify(text)} not found`)
  return text
}
