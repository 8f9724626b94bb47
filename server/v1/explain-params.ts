import { type Detail, validationError } from '../../engine/base/errors.ts'
import { type ExplainQuery, MAX_DEPTH } from '../../engine/documents/explain/explanation.ts'
import { DEFAULT_LIMIT, MAX_LIMIT, readInteger } from '../http/paging.ts'
import { assertKnown } from '../http/query-parameters.ts'
import type { Parameters } from '../http/query-string.ts'

/** Parameters of an explanation. */
export const EXPLAIN_PARAMETERS: readonly string[] = ['depth', 'limit', 'cursor']

/** Reads how much of an explanation is asked for. Throws 422 for what is unknown, came twice, or is out of range. */
export function readExplainQuery(parameters: Parameters): ExplainQuery {
  assertKnown(parameters, EXPLAIN_PARAMETERS)
  const given = new Map(parameters)
  const details: Detail[] = []
  const query: ExplainQuery = {
    depth: readInteger(given, 'depth', { min: 1, max: MAX_DEPTH }, details) ?? 1,
    limit: readInteger(given, 'limit', { min: 1, max: MAX_LIMIT }, details) ?? DEFAULT_LIMIT,
    cursor: given.get('cursor'),
  }
  if (details.length > 0) throw validationError(details)
  return query
}
