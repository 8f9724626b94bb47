import { type Detail, validationError } from '../../engine/base/errors.ts'
import { nearest } from '../../engine/base/suggest.ts'
import { readQuery } from './query-string.ts'
import type { Stage } from './request-state.ts'

/** Stage of a route that says which query parameters the route has. */
export interface ParameterStage extends Stage {
  readonly parameters: readonly string[]
}

/**
 * Says which query parameters a route has, and refuses all others before it does anything: a misspelt one would
 * be taken for a request without it, and might write. Throws 422 with every problem.
 *
 *     router.post('/webhooks', takes(), create(v1))
 *     router.get('/resources', takes('module', 'brief'), list(v1))
 */
export function takes(...parameters: readonly string[]): ParameterStage {
  const stage: Stage = (request, _response, next) => {
    if (request.url.includes('?')) assertKnown(readQuery(request.url), parameters)
    next()
  }
  return Object.assign(stage, { parameters })
}

/**
 * Names the query parameters of a route that reads them itself, since they depend on the definitions or since it
 * tells of their values in the same answer; it has to refuse what it does not know.
 */
export function reads(...parameters: readonly string[]): ParameterStage {
  const stage: Stage = (_request, _response, next) => next()
  return Object.assign(stage, { parameters })
}

/** Throws 422 for parameters that are none of these, and for those that came twice. */
export function assertKnown(
  given: Iterable<readonly [name: string, value: string]>,
  known: readonly string[],
): void {
  const details: Detail[] = []
  const seen = new Set<string>()
  for (const [field] of given) {
    if (!known.includes(field))
      details.push({ field, message: unknownParameter(field, known), code: 'unknown_field' })
    else if (seen.has(field)) details.push(cameTwice(field))
    seen.add(field)
  }
  if (details.length > 0) throw validationError(details)
}

/** Detail of a parameter that a request has more than once. */
export function cameTwice(field: string): Detail {
  return { field, message: 'came more than once; expected one value', code: 'wrong_type' }
}

/** What is told of a parameter that a request does not have. */
export function unknownParameter(field: string, known: readonly string[]): string {
  if (known.length === 0) return 'unknown parameter; this request takes none'
  return `unknown parameter${nearest(field, known)}; expected ${known.join(', ')}`
}
