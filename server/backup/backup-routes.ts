import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Router } from 'express'
import { assertManager } from '../../engine/access/can.ts'
import { AppError } from '../../engine/base/errors.ts'
import { contentDisposition } from '../files/content-disposition.ts'
import { sendJson } from '../http/answer.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { ApiResponse, Handler } from '../http/request-state.ts'
import { parameter } from '../v1/call.ts'

/** A backup that is kept on the server. */
export interface KeptBackup {
  /** Name of its file. */
  readonly id: string
  /** Moment it was made at, ISO 8601. */
  readonly created: string
  readonly bytes: number
}

/** What a backup holds, read whole again; and what restoring it would do. */
export interface BackupFound {
  readonly kind: string
  /** The program that made it. */
  readonly program: string
  readonly created: string
  readonly rows: number
  readonly tables: number
  readonly files: number
  /** Words of the command that restores it, once the server is stopped. */
  readonly command: readonly string[]
}

/** The backups of a workspace that is served, and how one is made: in a process of its own, so that neither work nor memory is the server's. */
export interface Backups {
  list(): readonly KeptBackup[]
  /** Begins one. Throws CONFLICT while another is being made. */
  make(): void
  isMaking(): boolean
  /** Why the last one could not be made; undefined where it was. */
  problem(): string | undefined
  /** Reads one whole again. Throws CONFLICT with what is wrong with it. */
  check(id: string): Promise<BackupFound>
  /** Path of its file; undefined for none of them. */
  fileOf(id: string): string | undefined
  remove(id: string): void
}

/** `/v1/backups`: what is kept of the workspace, for who looks after it; it has all that is in it, so no other right is enough. */
export function backupRoutes(router: Router, backups: Backups | undefined): void {
  if (!backups) return
  const asked = (run: Handler): Handler => {
    return (request, response, next) => {
      assertManager(response.locals.actor, 'admin', 'see, make or take away backups')
      return run(request, response, next)
    }
  }
  router.get('/backups', takes(), asked(list(backups)))
  router.post('/backups', takes(), asked(make(backups)))
  router.all('/backups', methodNotAllowed('GET, HEAD, POST'))
  router.get('/backups/:id/file', takes(), asked(download(backups)))
  router.all('/backups/:id/file', methodNotAllowed('GET, HEAD'))
  router.get('/backups/:id', takes(), asked(check(backups)))
  router.delete('/backups/:id', takes(), asked(remove(backups)))
  router.all('/backups/:id', methodNotAllowed('GET, HEAD, DELETE'))
}

function list(backups: Backups): Handler {
  return (_request, response) => sendState(response, 200, backups)
}

function make(backups: Backups): Handler {
  return (_request, response) => {
    backups.make()
    sendState(response, 202, backups)
  }
}

function sendState(response: ApiResponse, status: number, backups: Backups): void {
  const state = { making: backups.isMaking(), problem: backups.problem() ?? null }
  sendJson(response, status, JSON.stringify({ data: backups.list(), ...state }))
}

function check(backups: Backups): Handler {
  return async (request, response) => {
    const id = parameter(request, 'id')
    fileOf(backups, id)
    sendJson(response, 200, JSON.stringify({ id, ...(await backups.check(id)) }))
  }
}

function download(backups: Backups): Handler {
  return async (request, response) => {
    const id = parameter(request, 'id')
    const file = fileOf(backups, id)
    const size = backups.list().find((one) => one.id === id)?.bytes
    response.setHeader('Content-Type', 'application/octet-stream')
    response.setHeader('Content-Disposition', contentDisposition('attachment', id))
    response.setHeader('Cache-Control', 'private, no-store, no-transform')
    if (size !== undefined) response.setHeader('Content-Length', String(size))
    if (request.method === 'HEAD') response.end()
    else await pipeline(createReadStream(file), response)
  }
}

function remove(backups: Backups): Handler {
  return (request, response) => {
    const id = parameter(request, 'id')
    fileOf(backups, id)
    backups.remove(id)
    response.statusCode = 204
    response.end()
  }
}

function fileOf(backups: Backups, id: string): string {
  const file = backups.fileOf(id)
  if (file === undefined)
    throw new AppError('NOT_FOUND', `there is no backup ${JSON.stringify(id.slice(0, 80))}`)
  return file
}
