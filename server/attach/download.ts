import { pipeline } from 'node:stream/promises'
import type { Express, Request } from 'express'
import { AppError, isRefusal, recordNotFound, validationError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { readDocument } from '../../engine/documents/operations/get.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Engine } from '../../engine/index.ts'
import type { Doc } from '../../engine/storage/database/document.ts'
import { contentDisposition } from '../files/content-disposition.ts'
import type { ByteRange } from '../files/content-store.ts'
import { isShownInPlace, sentType } from '../files/content-type.ts'
import type { Files } from '../files/files.ts'
import { filesOf } from '../files/keep.ts'
import { findStored, type StoredFile } from '../files/store.ts'
import { hasTag } from '../http/entity-tags.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import { readQuery } from '../http/query-string.ts'
import type { ApiResponse, Handler } from '../http/request-state.ts'
import { keeping } from './upload.ts'

export interface DownloadDeps {
  readonly engine: Engine
  readonly files: Files | undefined
  /** Stages after which it is known who asks, guests included. */
  readonly stages: readonly Handler[]
}

/** Addresses of files: the id of the record, then a name, which is for people. */
const PATHS = ['/files/:id/:name', '/private/files/:id/:name']

/** What somebody else wrote never runs here: a document of it has no scripts, no forms, no origin. */
const POLICY = "default-src 'none'; sandbox"

/** `GET /files/{id}/{name}`: what is in a file, for who may read its record, and for anybody a public one of no record. */
export function downloadRoutes(app: Express, deps: DownloadDeps): void {
  app.get(PATHS, ...deps.stages, takes('size'), download(deps))
  app.all(PATHS, methodNotAllowed('GET, HEAD'))
}

function download({ engine, files }: DownloadDeps): Handler {
  return async (request, response) => {
    const { actor, tier } = response.locals
    const context = engine.context(actor, tier)
    const definition = filesOf(context.services)
    response.locals.resource = definition.slug
    const doc = await readableFile(context, definition, String(request.params.id))
    const stored = await findStored(context.services.database.read, doc.name)
    if (!stored) throw recordNotFound(definition.label, doc.name)
    response.setHeader('Content-Security-Policy', POLICY)
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
    // Packed, a part would be no part of anything; who may read it may be asked again.
    response.setHeader('Cache-Control', 'private, no-cache, no-transform')
    const size = new Map(readQuery(request.url)).get('size')
    if (size === undefined) await sendContent(keeping(files), request, response, doc, stored)
    else await sendThumbnail(keeping(files), response, size, stored)
  }
}

/**
 * The record of a file that the caller may read. A public one that belongs to nothing is there for everybody who has its
 * address. Throws 401/403, 404.
 */
async function readableFile(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
): Promise<Doc> {
  try {
    return (await readDocument(context, definition, id)).doc
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { store } = context.services.partsOf(definition)
    const doc = await store.find(context.services.database.read, id)
    if (doc && doc.is_private === false && doc.attached_to_name === null) return doc
    // Whether it is there is told to nobody who may not read it.
    if (context.actor.kind === 'guest') throw error
    throw error.code === 'NOT_FOUND' ? error : recordNotFound(definition.label, id)
  }
}

async function sendContent(
  { contents }: Files,
  request: Request,
  response: ApiResponse,
  doc: Doc,
  { hash, size, type }: StoredFile,
): Promise<void> {
  const tag = `"${hash}"`
  response.setHeader('ETag', tag)
  response.setHeader('Accept-Ranges', 'bytes')
  const known = request.headers['if-none-match']
  if (known !== undefined && hasTag(known, tag)) {
    response.status(304).end()
    return
  }
  const kind = isShownInPlace(type) ? 'inline' : 'attachment'
  response.setHeader('Content-Type', sentType(type))
  response.setHeader('Content-Disposition', contentDisposition(kind, String(doc.file_name)))
  const range = rangeOf(request, size, tag)
  if (range === 'none') {
    response.setHeader('Content-Range', `bytes */${size}`)
    response.removeHeader('Content-Disposition')
    response.status(416).end()
    return
  }
  if (range) {
    response.status(206).setHeader('Content-Range', `bytes ${range.start}-${range.end}/${size}`)
  }
  response.setHeader('Content-Length', range ? range.end - range.start + 1 : size)
  if (request.method === 'HEAD' || size === 0) {
    response.end()
    return
  }
  const stream = await contents.open(hash, { range })
  if (!stream) throw missing()
  // Who goes away in the middle is no failure.
  await pipeline(stream, response).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') response.destroy(error)
  })
}

async function sendThumbnail(
  { thumbnails }: Files,
  response: ApiResponse,
  size: string,
  stored: StoredFile,
): Promise<void> {
  if (size !== 'thumb')
    throw validationError([{ field: 'size', message: 'expected thumb', code: 'not_an_option' }])
  const thumbnail = await thumbnails.of(stored)
  if (!thumbnail) throw new AppError('NOT_FOUND', 'there is no small picture of this file')
  response.setHeader('ETag', `"${stored.hash}-thumb"`)
  response.setHeader('Content-Type', 'image/webp')
  response.setHeader('Content-Length', thumbnail.length)
  response.end(thumbnail)
}

/** The one part that is asked for; `none` where there is no such part, undefined for all of it (RFC 9110 §14). */
function rangeOf(request: Request, size: number, tag: string): ByteRange | 'none' | undefined {
  const condition = request.headers['if-range']
  if (request.method !== 'GET' || (condition !== undefined && condition !== tag)) return undefined
  const ranges = request.range(size, { combine: true })
  if (ranges === -1) return 'none'
  return Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1
    ? ranges[0]
    : undefined
}

function missing(): AppError {
  return new AppError('UNAVAILABLE', 'the content of this file is not where files are kept', {
    headers: { 'Retry-After': '300' },
  })
}
