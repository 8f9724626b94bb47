import { type Detail, validationError } from '../../engine/base/errors.ts'
import { shown } from '../../engine/base/shown.ts'

/** Rule for one field of a body. */
export interface BodyField<T> {
  /** Completes "expected …". */
  readonly expected: string
  /** The value as it is worked with; undefined when it is none. */
  readonly read: (value: unknown) => T | undefined
  readonly required?: boolean
}

/** Values these rules read from a body; only required fields are always there. */
export type FieldsOf<Rules> = {
  readonly [Name in keyof Rules]?: Rules[Name] extends BodyField<infer T> ? T : never
}

/**
 * Reads the few fields a request that is no record takes; no body is one without fields. Throws 422 with all
 * problems: a field nobody knows, a value it cannot have, a required one that is missing.
 */
export function readFields<const Rules extends Readonly<Record<string, BodyField<unknown>>>>(
  body: unknown,
  rules: Rules,
): FieldsOf<Rules> {
  const details: Detail[] = []
  const given = new Map(Object.entries(typeof body === 'object' && body !== null ? body : {}))
  const known = Object.keys(rules)
  for (const field of given.keys()) {
    if (Object.hasOwn(rules, field)) continue
    const message =
      known.length === 0
        ? 'this request takes no fields'
        : `unknown field; expected ${known.join(', ')}`
    details.push({ field, message, code: 'unknown_field' })
  }
  const read: Record<string, unknown> = {}
  for (const [field, rule] of Object.entries(rules)) {
    const value = given.get(field)
    if (value === undefined && !rule.required) continue
    read[field] = rule.read(value)
    if (read[field] === undefined) {
      const code = value === undefined ? 'required' : 'wrong_type'
      details.push({ field, message: `expected ${rule.expected}, got ${shown(value)}`, code })
    }
  }
  if (details.length > 0) throw validationError(details)
  return read as FieldsOf<Rules>
}
