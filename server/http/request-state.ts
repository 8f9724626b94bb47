import type { NextFunction, Request, Response } from 'express'
import type { Actor } from '../../engine/access/actor.ts'
import type { Session } from '../auth/sessions.ts'
import type { Answer } from './answer.ts'

/** What the stages of app.ts learn about a request; `response.locals` from the first stage on. */
export type RequestState = {
  readonly requestId: string
  /** `performance.now()` at its arrival. */
  readonly startedAt: number
  actor: Actor
  /** Effective tier of the workspace. */
  tier: string
  /** Where the credential is the cookie of a session. */
  session: Session | undefined
  /** Parsed JSON body: an object, or undefined when none was sent. */
  body: unknown
  /** Slug of the resource, for logs. */
  resource: string | undefined
  idempotency: IdempotentRequest | undefined
}

/** A request that came with an `Idempotency-Key`. */
export interface IdempotentRequest {
  /** Principal and key. */
  readonly key: string
  readonly fingerprint: string
  /** The answer an earlier request of this key got. */
  readonly stored: Answer | undefined
  /** Set once the request has begun to call another service. */
  readonly hasCalled?: boolean
}

/** Who a request comes from. */
export type Principal = Pick<RequestState, 'actor' | 'tier' | 'session'>

/** The principal of a request; undefined when it brought no credential at all. */
export type Identify = (request: Request) => Promise<Principal | undefined>

export type ApiResponse = Response<unknown, RequestState>

/** A stage or route of surface B. */
export type Handler = (request: Request, response: ApiResponse, next: NextFunction) => unknown

export type ErrorHandler = (
  error: unknown,
  request: Request,
  response: ApiResponse,
  next: NextFunction,
) => unknown
