import type { IncomingMessage } from 'node:http'
import type { Application, NextFunction, Request, Response } from 'express'
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
export type Identify = (request: Asked) => Promise<Principal | undefined>

export type ApiResponse = Response<unknown, RequestState>

/** Request as stages see it that serve both ways, Express and the direct one (`server/direct`). */
export interface Asked extends IncomingMessage {
  method: string
  url: string
  /** As it came, also below a router that has taken away its part. */
  originalUrl: string
  /** Path without the query, below the router. */
  readonly path: string
  readonly ip?: string | undefined
  /** Named parts of the path, decoded. */
  params: Request['params']
  /** The route that answers, for logs. */
  route?: unknown
  readonly app: Pick<Application, 'get'>
  readonly acceptsLanguages: Request['acceptsLanguages']
}

/** Answer as stages see it that serve both ways. */
export interface Reply {
  locals: RequestState
  statusCode: number
  setHeader(name: string, value: string | number): unknown
  getHeader(name: string): unknown
  hasHeader(name: string): boolean
  /** Adds to the headers that the answer depends on. */
  vary(name: string): unknown
  end(body?: string): unknown
  on(event: 'close', listener: () => void): unknown
  once(event: 'close', listener: () => void): unknown
  readonly destroyed: boolean
  readonly headersSent: boolean
  readonly writableFinished: boolean
}

/** A stage or route that serves both ways. */
export type Stage = (request: Asked, response: Reply, next: NextFunction) => unknown

/** Puts headers on an answer whose head is about to be written. */
export type LastHeaders = (response: Reply) => void

/** A stage or route of surface B. */
export type Handler = (request: Request, response: ApiResponse, next: NextFunction) => unknown

export type ErrorHandler = (
  error: unknown,
  request: Request,
  response: ApiResponse,
  next: NextFunction,
) => unknown
