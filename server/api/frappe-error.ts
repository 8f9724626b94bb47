import { AppError, type AppErrorOptions } from '../../engine/base/errors.ts'

/** Exception classes of Frappe that our codes alone do not tell; all are answered with 417 (erp-semantics.md §1.5). */
export type FrappeErrorType =
  | 'ValidationError'
  | 'DataError'
  | 'TimestampMismatchError'
  | 'UpdateAfterSubmitError'
  | 'DocstatusTransitionError'

/** An error that only surface A raises: it names the exception class its clients expect. */
export class FrappeError extends AppError {
  readonly type: FrappeErrorType

  constructor(type: FrappeErrorType, message: string, options: AppErrorOptions = {}) {
    super('VALIDATION_ERROR', message, options)
    this.name = 'FrappeError'
    this.type = type
  }
}
