/** One request to the API, as a tool's arguments ask for it. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** From `/v1/` on, percent-encoded, without the query. */
  readonly path: string
  readonly query?: readonly (readonly [name: string, value: string])[]
  /** JSON to send; a request without one has no body. */
  readonly body?: unknown
}

/** Problem of one argument of a call. */
export interface ArgumentProblem {
  /** Name of the argument, with the place inside it: `filter.status__in`. */
  readonly field: string
  readonly message: string
  /** As the API calls such a problem. */
  readonly code: 'required' | 'unknown_field' | 'wrong_type'
}

/** The arguments cannot become a request; nothing was sent. */
export class ArgumentError extends Error {
  readonly problems: readonly ArgumentProblem[]

  constructor(problems: readonly ArgumentProblem[]) {
    super(problems.map(({ field, message }) => `${field}: ${message}`).join('; '))
    this.name = 'ArgumentError'
    this.problems = problems
  }
}

/** A named part of a path, e.g. `['id', 'CUST-00001']`. */
type Part = string | readonly [argument: string, value: string]

/**
 * A path below `/v1`: words stand as they are, arguments become exactly one segment each. Encoding is not
 * enough for that: URL parsers take `.` and `..` away, even as `%2e`, and an empty segment makes the path
 * that of the list. Throws ArgumentError for those.
 */
export function pathOf(...parts: readonly Part[]): string {
  return `/v1/${parts.map((part) => (typeof part === 'string' ? part : segment(...part))).join('/')}`
}

function segment(argument: string, value: string): string {
  if (value === '') refuse(argument, 'expected a text that is not empty')
  if (value === '.' || value === '..') {
    refuse(argument, `${JSON.stringify(value)} cannot stand in an address, so nothing is called so`)
  }
  return encodeURIComponent(wellFormed(argument, value))
}

/** The query as it stands in the address, with its `?`; empty when there is none. Throws ArgumentError. */
export function queryText({ query = [] }: Pick<ApiRequest, 'query'>): string {
  if (query.length === 0) return ''
  const encode = (name: string, text: string) => encodeURIComponent(wellFormed(name, text))
  return `?${query.map(([name, value]) => `${encode('filter', name)}=${encode(name, value)}`).join('&')}`
}

/** Lone surrogates have no UTF-8, so that no address can hold them. */
function wellFormed(argument: string, text: string): string {
  if (text.isWellFormed()) return text
  return refuse(argument, 'expected well-formed Unicode, got a lone surrogate')
}

/** Throws ArgumentError for one argument. */
export function refuse(field: string, message: string): never {
  throw new ArgumentError([{ field: field.toWellFormed(), message, code: 'wrong_type' }])
}
