import { AppError } from '../../engine/base/errors.ts'

/** Another request of this key committed first; this one's transaction was rolled back. */
export class KeyTaken extends Error {}

/**
 * Whether an error may come of the same request of another process, committed meanwhile: it shows itself as a
 * taken key, or before that as the conflict that doing a thing twice is.
 */
export function mayHaveLostRace(error: unknown): boolean {
  return (
    error instanceof KeyTaken || (error instanceof AppError && [409, 412].includes(error.status))
  )
}

export function usedOtherwise(): AppError {
  return new AppError(
    'VALIDATION_ERROR',
    'this Idempotency-Key was used for another request (method, path or body differ); use a new key',
    {
      details: [
        { field: 'Idempotency-Key', message: 'was used for another request', code: 'not_unique' },
      ],
    },
  )
}

export function stillRunning(): AppError {
  return new AppError(
    'CONFLICT',
    'a request with this Idempotency-Key is still running; try again',
    {
      headers: { 'Retry-After': '1' },
    },
  )
}
