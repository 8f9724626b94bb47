import { FrappeError } from './frappe-error.ts'

/** A name that a caller gave, cut to what can be one. Throws 417. */
export function nameOf(value: unknown, parameter: string): string {
  if (typeof value === 'string' && value !== '') return value.slice(0, 140)
  throw new FrappeError('ValidationError', `expected ${parameter} to be a name`)
}
