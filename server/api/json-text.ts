import { AppError, validationError } from '../../engine/base/errors.ts'
import { findUnsafeJson, isObject } from '../../engine/base/json-text.ts'

/**
 * A parameter that Frappe's clients send as JSON text inside a form or a query, and others as JSON proper.
 * Throws VALIDATION_ERROR naming the parameter for a text that is no JSON or cannot be kept as it came.
 */
export function parsedParameter(value: unknown, name: string): unknown {
  if (typeof value !== 'string') return value
  let parsed: unknown
  try {
    parsed = JSON.parse(value)
  } catch (cause) {
    throw new AppError('VALIDATION_ERROR', `expected ${name} to be JSON, got text that is not`, {
      details: [{ field: name, message: 'expected JSON', code: 'wrong_type' }],
      cause,
    })
  }
  const unsafe = findUnsafeJson(parsed, name)
  if (unsafe) {
    const { path: field, message, code } = unsafe
    throw validationError([{ field, message, code }])
  }
  return parsed
}

/** Object that `parsedParameter` reads, such as a document. Throws VALIDATION_ERROR for anything else. */
export function objectParameter(value: unknown, name: string): Readonly<Record<string, unknown>> {
  const parsed = parsedParameter(value, name)
  if (isObject(parsed)) return parsed
  throw validationError([{ field: name, message: 'expected an object', code: 'wrong_type' }])
}
