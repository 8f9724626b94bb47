import type { Request } from 'express'
import type { Context } from '../../../engine/documents/work/context.ts'
import type { ApiResponse } from '../../http/request-state.ts'

/** One call of a method of surface A (`/api/method/<name>`, erp-semantics.md §1.2). */
export interface MethodCall {
  readonly request: Request
  readonly response: ApiResponse
  /** Caller and services of the call; `actor.kind` is `guest` without credentials. */
  readonly context: Context
  /** Parameters: those of the query and the form, or the JSON body alone where one came. */
  readonly args: Readonly<Record<string, unknown>>
}

/** A method clients may call by its dotted name. */
export interface Method {
  readonly verbs: readonly ('GET' | 'POST')[]
  /** `guest`: anybody; `user`: who is signed in or has a key. */
  readonly access: 'guest' | 'user'
  /**
   * Returns what stands under `message` of the answer; undefined gives `{}`. A method that answers otherwise has
   * sent the answer itself and returns `ANSWERED`.
   */
  run(call: MethodCall): Promise<unknown>
}

/** Dotted name → method. */
export type Methods = Readonly<Record<string, Method>>

/** Result of a method that has sent its answer itself. */
export const ANSWERED = Symbol('answered')
