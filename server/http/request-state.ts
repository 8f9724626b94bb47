import type { NextFunction, Request, Response } from 'express'
import type { Actor } from '../../engine/access/actor.ts'
import type { Session } from '../auth/sessions.ts'
import type { Answer } from './answer.ts'

/** State of a request, as the stages of app.ts learn it; `response.locals` from the first stage on. */
export type RequestState = {
  readonly requestId: string
  /** `performance.now()` at its arrival. */
  readonly startedAt: number
  actor: Actor
  /** Effective tier of the workspace. */
  tier: string
  /** Session whose cookie is the credential; undefined for any other credential. */
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
  /** True once the request has begun to call another service. */
  readonly hasCalled?: boolean
}

/** Principal of a request: its actor, the tier it acts under, and its session where there is one. */
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
