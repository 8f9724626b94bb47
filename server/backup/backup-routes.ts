import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Router } from 'express'
import { assertManager } from '../../engine/access/can.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { Engine } from '../../engine/index.ts'
import { logExport } from '../auth/security-log.ts'
import { contentDisposition } from '../files/content-disposition.ts'
import { sendJson } from '../http/answer.ts'
import { assertNotCompressed, isBytes } from '../http/body.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { ApiResponse, Handler } from '../http/request-state.ts'
import { parameter } from '../v1/call.ts'

/** What a file that is kept is: a backup, or everything as plain data, for other programs. */
export type KeptKind = 'backup' | 'everything'

/** A backup that is kept on the server, or another file with all that is in the workspace. */
export interface KeptBackup {
  /** Name of its file. */
  readonly id: string
  readonly kind: KeptKind
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

/** Parts of a restore; from the second on nobody is served. */
export type RestorePhase = 'checking' | 'stopping' | 'backing up' | 'restoring' | 'opening'

/** The last restore that was done. */
export interface Restored {
  /** Name of the backup. */
  readonly id: string
  /** Moment it was asked for, ISO 8601. */
  readonly at: string
  /** Name of the backup of what was there before. */
  readonly undo: string
}

/** What there is, and what is under way. */
export interface BackupsState {
  readonly data: readonly KeptBackup[]
  /** What is being made. */
  readonly making: KeptKind | null
  readonly restoring: { readonly id: string; readonly phase: RestorePhase } | null
  readonly restored: Restored | null
  /** Why the last thing that was tried could not be done. */
  readonly problem: string | null
}

/** The backups of a workspace that is served, and how one is made and restored: in a process of its own, so that neither work nor memory is the server's. */
export interface Backups {
  state(): BackupsState
  /** Begins one. Throws CONFLICT while another is being made, or one is restored. */
  make(kind: KeptKind): void
  /** Reads one whole again. Throws CONFLICT with what is wrong with it. */
  check(id: string): Promise<BackupFound>
  /**
   * Keeps one that comes from elsewhere, once it was read whole. Throws VALIDATION_ERROR with what is wrong with it, PAYLOAD_TOO_LARGE where the
   * disk has no room, CONFLICT for one that is here.
   */
  bring(stream: Readable): Promise<BackupFound & Pick<KeptBackup, 'id'>>
  /** Begins to put one in the place of the workspace, which is not served meanwhile. Throws CONFLICT as `make` does. */
  restore(id: string): void
  /** Path of its file; undefined for none of them. */
  fileOf(id: string): string | undefined
  /** Throws CONFLICT while one is restored. */
  remove(id: string): void
}

/** `/v1/backups`: what is kept of the workspace, for who looks after it; it has all that is in it, so no other right is enough. */
export function backupRoutes(router: Router, engine: Engine, backups: Backups | undefined): void {
  if (!backups) return
  const asked = (run: Handler): Handler => {
    return (request, response, next) => {
      assertManager(
        response.locals.actor,
        'admin',
        'see, make, bring, restore or take away backups',
      )
      return run(request, response, next)
    }
  }
  router.get('/backups', takes(), asked(list(backups)))
  router.post('/backups', takes(), asked(makeOrBring(backups)))
  router.all('/backups', methodNotAllowed('GET, HEAD, POST'))
  router.post('/backups/everything', takes(), asked(makeEverything(backups)))
  router.all('/backups/everything', methodNotAllowed('POST'))
  router.get('/backups/:id/file', takes(), asked(download(engine, backups)))
  router.all('/backups/:id/file', methodNotAllowed('GET, HEAD'))
  router.post('/backups/:id/restore', takes(), asked(restore(backups)))
  router.all('/backups/:id/restore', methodNotAllowed('POST'))
  router.get('/backups/:id', takes(), asked(check(backups)))
  router.delete('/backups/:id', takes(), asked(remove(backups)))
  router.all('/backups/:id', methodNotAllowed('GET, HEAD, DELETE'))
}

function list(backups: Backups): Handler {
  return (_request, response) => sendState(response, 200, backups)
}

/** Makes one of what is there; a body of bytes is one that was made elsewhere. */
function makeOrBring(backups: Backups): Handler {
  return async (request, response) => {
    if (isBytes(request)) {
      assertNotCompressed(request)
      const brought = await backups.bring(request)
      response.setHeader('Location', `/v1/backups/${brought.id}`)
      return sendJson(response, 201, JSON.stringify(brought))
    }
    backups.make('backup')
    sendState(response, 202, backups)
  }
}

function makeEverything(backups: Backups): Handler {
  return (_request, response) => {
    backups.make('everything')
    sendState(response, 202, backups)
  }
}

function restore(backups: Backups): Handler {
  return (request, response) => {
    const id = parameter(request, 'id')
    fileOf(backups, id)
    backups.restore(id)
    sendState(response, 202, backups)
  }
}

function sendState(response: ApiResponse, status: number, backups: Backups): void {
  sendJson(response, status, JSON.stringify(backups.state()))
}

function check(backups: Backups): Handler {
  return async (request, response) => {
    const id = parameter(request, 'id')
    fileOf(backups, id)
    sendJson(response, 200, JSON.stringify({ id, ...(await backups.check(id)) }))
  }
}

function download(engine: Engine, backups: Backups): Handler {
  return async (request, response) => {
    const id = parameter(request, 'id')
    const file = fileOf(backups, id)
    const { bytes: size, kind = 'backup' } = backups.state().data.find((one) => one.id === id) ?? {}
    const isZip = kind === 'everything'
    if (request.method !== 'HEAD')
      await logExport(engine.services, response.locals.actor, kind, isZip ? 'zip' : kind)
    response.setHeader('Content-Type', isZip ? 'application/zip' : 'application/octet-stream')
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
