import { FrappeError } from './frappe-error.ts'

/** Frappe's DataError: a query names something that it may not. */
export class DataError extends FrappeError {
  constructor(message: string) {
    super('DataError', message)
  }
}

/** Frappe's words for a field that does not exist or may not be read. */
export function fieldNotPermitted(field: string): DataError {
  return new DataError(`Field not permitted in query: ${shortened(field)}`)
}

const MAX_SHOWN = 100

/** A client's text, cut to a length that a message can bear; a cut leaves no half of a surrogate pair. */
export function shortened(text: string): string {
  return (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text).toWellFormed()
}
