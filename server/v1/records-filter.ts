import { type Detail, validationError } from '../../engine/base/errors.ts'
import { isObject } from '../../engine/base/json-text.ts'
import type { BodyField } from '../http/fields-of-body.ts'
import { LIST_PARAMETERS } from '../http/list-params.ts'

/** Filters of a list in a body: which records of a resource are meant. */
export const A_FILTER: BodyField<Readonly<Record<string, unknown>>> = {
  expected: 'an object of filters as lists have them, at least one, e.g. {"status": "Draft"}',
  read: (value) => (isObject(value) && Object.keys(value).length > 0 ? value : undefined),
}

/** Filters as the parameters of a list: a list of values has commas between them, unset is an empty text. Throws 422. */
export function parametersOf(
  filter: Readonly<Record<string, unknown>>,
): readonly (readonly [name: string, value: string])[] {
  const details: Detail[] = []
  const text = (field: string, value: unknown): string => {
    if (value === null) return ''
    if (typeof value === 'string') return value
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    if (Array.isArray(value))
      return value.map((one) => text(field, one).replaceAll(/[\\,]/g, '\\$&')).join(',')
    details.push({ field, message: 'expected a value or a list of values', code: 'wrong_type' })
    return ''
  }
  const parameters = Object.entries(filter).map(([name, value]) => {
    if (name !== 'q' && LIST_PARAMETERS.includes(name))
      details.push({ field: `filter.${name}`, message: 'is no filter', code: 'unknown_field' })
    return [name, text(`filter.${name}`, value)] as const
  })
  if (details.length > 0) throw validationError(details)
  return parameters
}
