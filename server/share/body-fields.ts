import { type Detail, validationError } from '../../engine/base/errors.ts'
import { isObject } from '../../engine/base/json-text.ts'

/** The fields of a body that may have these and no others. Throws 422 with every other one. */
export function readBody<const Name extends string>(
  body: unknown,
  known: readonly Name[],
): Partial<Record<Name, unknown>> {
  if (body === undefined) return {}
  const given = isObject(body) ? body : {}
  const details = Object.keys(given)
    .filter((name) => !known.some((one) => one === name))
    .map(
      (field): Detail => ({
        field,
        message: `is not known here; expected ${known.join(', ')}`,
        code: 'unknown_field',
      }),
    )
  if (details.length > 0) throw validationError(details)
  return given as Partial<Record<Name, unknown>>
}
