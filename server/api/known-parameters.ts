import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { standardFields } from '../../engine/definition/model/standard-fields.ts'
import type { Field } from '../../engine/fields/field.ts'
import { assertKnown } from '../http/query-parameters.ts'
import type { ApiResponse } from '../http/request-state.ts'
import { argsOf } from './args.ts'

/** Parameters Frappe's clients add to any address: `_` gets around caches, `_lang` names a language. */
const OF_ANY_REQUEST = ['_', '_lang', 'cmd', 'sid', 'csrf_token'] as const

/** Parameters of a request about one document, and what documents of Frappe have besides their fields. */
const OF_A_DOCUMENT = [
  ...['run_method', 'data', 'doctype', 'name', 'creation', 'idx'],
  ...['parent', 'parenttype', 'parentfield', 'expand_links'],
] as const

/**
 * Refuses a change of a document for parameters of its address that neither it nor Frappe's clients know, so that
 * a misspelt one does not write. A body may hold anything: documents are sent back whole (docs/surface-a.md).
 * Throws VALIDATION_ERROR.
 */
export function assertKnownQuery(
  response: ApiResponse,
  definition: DocTypeDefinition,
  fields: readonly Field[] = [],
): void {
  const given = entriesOf(response)
  if (given.length === 0) return
  assertKnown(given, [
    ...OF_A_DOCUMENT,
    ...OF_ANY_REQUEST,
    ...[...standardFields(definition), ...fields].map(({ name }) => name),
  ])
}

/**
 * Refuses a call that may change something for parameters of its address that begin with `_`, which are ours to
 * name. Others are arguments, of which Frappe's methods take what they know and leave the rest.
 */
export function assertNoReserved(response: ApiResponse): void {
  assertKnown(
    entriesOf(response).filter(([name]) => name.startsWith('_')),
    OF_ANY_REQUEST,
  )
}

function entriesOf(response: ApiResponse): readonly (readonly [string, string])[] {
  return Object.keys(argsOf(response).query).map((name) => [name, ''])
}
