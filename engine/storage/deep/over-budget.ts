import { AppError } from '../../base/errors.ts'
import type { Errand } from './errand.ts'

/** Seconds after which the same may be asked again; what is narrowed may be asked at once. */
const RETRY_AFTER = '10'

/** Error 503 for a statement that took longer than it may; it was stopped. */
export function overBudget({ narrow }: Errand, budgetMs: number): AppError {
  return stopped(`this takes the database more than ${budgetMs / 1000} seconds: ${narrow}`)
}

/** Error 503 for an answer with more cells than one may have: of a million fields no client makes use. */
export function tooManyCells(narrow: string, most: number): AppError {
  const cells = most.toLocaleString('en-US')
  return stopped(`the answer would have more than ${cells} cells (rows times fields): ${narrow}`)
}

/** Error 503 for a statement whose reader ended under it, mostly for want of memory. */
export function readerEnded({ narrow }: Errand, how: string): AppError {
  return stopped(`the database stopped in the middle of this (${how}): try again, or ${narrow}`)
}

function stopped(message: string): AppError {
  return new AppError('UNAVAILABLE', message, { headers: { 'Retry-After': RETRY_AFTER } })
}
