import type { ErrorRequestHandler } from 'express'

export interface Detail {
  readonly field: string
  readonly message: string
}

/** An error that the client may see. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly details: readonly Detail[] | undefined

  constructor(status: number, code: string, message: string, details?: readonly Detail[]) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

export function invalid(details: readonly Detail[]): Refusal {
  return new Refusal(422, 'VALIDATION_ERROR', 'the input is not valid', details)
}

export const answerErrors: ErrorRequestHandler = (error, _request, response, _next) => {
  const status =
    error instanceof Refusal ? error.status : ((error as { status?: number }).status ?? 500)
  const code =
    error instanceof Refusal ? error.code : status < 500 ? 'BAD_REQUEST' : 'INTERNAL_ERROR'
  const message = status < 500 ? (error as Error).message : 'something went wrong'
  const details = error instanceof Refusal ? error.details : undefined
  if (status >= 500) console.error(error)
  response.status(status).json({ error: { code, message, status, details } })
}
