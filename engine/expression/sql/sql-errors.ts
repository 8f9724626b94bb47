import { ExpressionError } from '../tree/problem.ts'

/** Words for PostgreSQL's errors of a value that cannot be computed, by code. */
const VALUE_ERRORS: Readonly<Record<string, string>> = {
  '22012': 'division by zero',
  '22003': 'the number is too large',
  '22007': 'the date lies outside the years 1 to 9999',
  '22008': 'the date lies outside the years 1 to 9999',
}

/**
 * The error of a query that computes an expression: an ExpressionError where the data are at fault, as JavaScript
 * would have thrown it (SQLite's functions do themselves), else the error as it is.
 */
export function asExpressionError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const message = Object.hasOwn(VALUE_ERRORS, String(error.code))
    ? VALUE_ERRORS[String(error.code)]
    : undefined
  return message === undefined ? error : new ExpressionError(message)
}
