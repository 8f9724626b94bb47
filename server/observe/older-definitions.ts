import { AppError } from '../../engine/base/errors.ts'
import type { Engine } from '../../engine/index.ts'
import type { ErrorHandler } from '../http/request-state.ts'

/**
 * Stage before errors become answers: what failed because another process has brought the database to newer definitions,
 * which have a column under another name or no more, is UNAVAILABLE. Anything else goes on as it is.
 */
export function olderDefinitions(engine: Pick<Engine, 'newer'>): ErrorHandler {
  return async function olderDefinitionsStage(error, _request, _response, next) {
    next(isMissing(error) && (await hasNewer(engine)) ? unavailable(error) : error)
  }
}

function unavailable(cause: unknown): AppError {
  return new AppError(
    'UNAVAILABLE',
    'newer definitions hold in this workspace than this process works with, and its tables are theirs; try again, another process answers',
    { headers: { 'Retry-After': '1' }, cause },
  )
}

/** Whether the database tells of newer definitions; where it tells nothing, the first failure is the one to answer. */
async function hasNewer(engine: Pick<Engine, 'newer'>): Promise<boolean> {
  try {
    return (await engine.newer()) !== undefined
  } catch {
    return false
  }
}

/** Codes of PostgreSQL for a column or table that is not there. */
const MISSING = new Set(['42703', '42P01'])

/** The same in the words of SQLite, which has no code for it. */
const MISSING_WORDS = /^(no such (column|table): |table \S+ has no column named )/

/** Whether a statement named a column or table that is not there. */
function isMissing(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  if (error.code === 'SQLITE_ERROR') return MISSING_WORDS.test(error.message)
  return MISSING.has(String(error.code))
}
