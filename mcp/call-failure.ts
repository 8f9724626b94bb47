/** Reason why a call has no answer of the API. */
export type FailureCode =
  | 'NO_API_KEY'
  | 'WRONG_SETTINGS'
  | 'INVALID_ARGUMENTS'
  | 'NETWORK_ERROR'
  | 'TIMEOUT'
  | 'UNEXPECTED_ANSWER'

/** A call that got no answer of the API; the message says what to do and never holds the key. */
export class CallFailure extends Error {
  readonly code: FailureCode

  constructor(code: FailureCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CallFailure'
    this.code = code
  }
}
