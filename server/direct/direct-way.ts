import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type Express } from 'express'
import type { Engine } from '../../engine/index.ts'
import type { ApiResponse, Asked, ErrorHandler, Handler, Stage } from '../http/request-state.ts'
import type { RecordRoutes } from '../v1/records.ts'
import { type DirectMatch, matchDirectly } from './direct-match.ts'
import { DirectReply, type ReplyOptions } from './direct-reply.ts'

/** Stages that Express goes through as well; each is made once, for both. */
export interface DirectStages {
  /** Those of every request. */
  readonly first: readonly Stage[]
  /** Those of surface B, of a path below `/v1`. */
  readonly v1: readonly Stage[]
  readonly routes: RecordRoutes
  readonly last: ReplyOptions['last']
  /** The stage that compresses, and the least size that it does for. */
  readonly compression: { readonly stage: Handler; readonly threshold: number }
  /** What is done with an error, from the first to the one that answers. */
  readonly errors: readonly ErrorHandler[]
  /** The stage of Express that puts on the last headers. */
  readonly lastHeaders: Handler
  /** Whether requests are taken at all. */
  readonly isOpen: () => boolean
}

/** How Express handles a request; `app(request, response)` calls it. */
interface Handling {
  handle(request: IncomingMessage, response: ServerResponse, next?: unknown): void
}

/**
 * Lets an app take requests to record routes before Express does: the same stages, called one after the other, and one
 * block of headers. Errors go Express's way from where they happen, and everything else all of it.
 */
export function takeDirectly(app: Express, engine: Engine, stages: DirectStages): void {
  const handling = app as unknown as Handling
  const throughExpress = handling.handle.bind(app)
  const { registry } = engine.services

  async function answer(
    found: DirectMatch,
    request: Asked,
    response: ServerResponse,
  ): Promise<void> {
    const { compression } = stages
    const encoding = request.headers['accept-encoding']
    const reply = new DirectReply(response, {
      last: stages.last,
      threshold: compression.threshold,
      compress:
        encoding === undefined
          ? undefined
          : (raw) => compression.stage(request as never, raw as ApiResponse, () => undefined),
    })
    try {
      if (!(await went(stages.first, request, reply))) return
      below(request, found)
      if (!(await went(stages.v1, request, reply))) return
      await went(stages.routes.get(found.route) as readonly Stage[], request, reply)
    } catch (error) {
      failed(error, request, response, reply)
    }
  }

  /** The error's way through Express's stages for errors, over Node's own answer with what it has of headers. */
  function failed(
    error: unknown,
    request: Asked,
    response: ServerResponse,
    reply: DirectReply,
  ): void {
    Object.assign(request, { res: response, url: request.originalUrl })
    Reflect.deleteProperty(request, 'path')
    Object.setPrototypeOf(request, app.request)
    Object.setPrototypeOf(response, app.response)
    const answering = response as ApiResponse
    answering.locals = reply.locals
    if (!response.headersSent) reply.handOver()
    const express = request as never
    stages.lastHeaders(express, answering, () => undefined)
    stages.compression.stage(express, answering, () => undefined)
    const at =
      (index: number) =>
      (thrown: unknown): void => {
        const stage = stages.errors[index] as ErrorHandler
        void Promise.resolve(stage(thrown, express, answering, at(index + 1))).catch(at(index + 1))
      }
    at(0)(error)
  }

  handling.handle = (request, response, next) => {
    // Below another app a request is Express's already.
    const isOurs = next === undefined && stages.isOpen()
    const found = isOurs ? matchDirectly(request, registry) : undefined
    if (found && stages.routes.has(found.route)) void answer(found, asked(app, request), response)
    else throughExpress(request, response, next)
  }
}

const ipOf = Object.getOwnPropertyDescriptor(express.request, 'ip')?.get as () => string | undefined

/** A request with what stages ask it for. */
function asked(app: Express, request: IncomingMessage): Asked {
  const url = request.url as string
  const end = url.indexOf('?')
  const more = {
    app,
    originalUrl: url,
    path: end < 0 ? url : url.slice(0, end),
    params: {},
    acceptsLanguages: express.request.acceptsLanguages,
  }
  const made = Object.assign(request, more) as unknown as Asked & { ip: string | undefined }
  made.ip = ipOf.call(made)
  return made
}

/** The same request as the routes of surface B see it. */
function below(request: Asked, { path, url, params, route }: DirectMatch): void {
  const at = route.indexOf(' ')
  Object.assign(request, { path, url, params, route: { path: route.slice(at + 1) } })
}

/** Goes through stages one after the other; false when one of them has answered. */
async function went(
  stages: readonly Stage[],
  request: Asked,
  reply: DirectReply,
): Promise<boolean> {
  for (const stage of stages) {
    let isNext = false
    const done = stage(request, reply, (error?: unknown) => {
      if (error !== undefined) throw error
      isNext = true
    })
    if (done instanceof Promise) await done
    if (!isNext) return false
  }
  return true
}
