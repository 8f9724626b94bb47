import type { Detail } from '../../engine/base/errors.ts'

/** Page size (spec §8). */
export const DEFAULT_LIMIT = 20
export const MAX_LIMIT = 100

/** One page of a list: with `cursor` a walk without a count, else from `offset` with one (contract §3, Lists). */
export interface Paging {
  readonly limit: number
  readonly offset?: number
  readonly cursor?: string
}

/** Parameters of every list. */
export const PAGING_PARAMETERS = ['limit', 'offset', 'cursor'] as const

/** Reads the paging parameters and adds what is wrong to `details`. An empty `cursor` starts a walk. */
export function readPaging(given: ReadonlyMap<string, string>, details: Detail[]): Paging {
  const limit = readInteger(given, 'limit', { min: 1, max: MAX_LIMIT }, details) ?? DEFAULT_LIMIT
  const cursor = given.get('cursor')
  if (cursor === undefined) {
    return {
      limit,
      offset: readInteger(given, 'offset', { min: 0, max: Number.MAX_SAFE_INTEGER }, details) ?? 0,
    }
  }
  if (given.has('offset')) {
    const message = 'expected either cursor or offset, got both'
    details.push({ field: 'offset', message, code: 'wrong_type' })
  }
  return { limit, cursor }
}

/** A whole number within bounds; undefined where none came, or a wrong one, which is added to `details`. */
export function readInteger(
  given: ReadonlyMap<string, string>,
  field: string,
  { min, max }: { readonly min: number; readonly max: number },
  details: Detail[],
): number | undefined {
  const text = given.get(field)
  if (text === undefined) return undefined
  const value = text !== '' && isDigits(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min} to 2^53-1` : `from ${min} to ${max}`
  details.push({
    field,
    message: `expected an integer ${range}, got ${JSON.stringify(text.slice(0, 40))}`,
    code: Number.isNaN(value) ? 'wrong_type' : 'out_of_range',
  })
  return undefined
}

function isDigits(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code < 48 || code > 57) return false
  }
  return true
}
