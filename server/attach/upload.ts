import { AppError, validationError } from '../../engine/base/errors.ts'
import { assertMay } from '../../engine/documents/rights/door.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { DocumentResult } from '../../engine/documents/work/present.ts'
import type { Files } from '../files/files.ts'
import { filesOf, keepFile, largestFile } from '../files/keep.ts'
import { type Answer, sendAnswer } from '../http/answer.ts'
import { isMultipart } from '../http/body.ts'
import { assertKnown } from '../http/query-parameters.ts'
import { readQuery } from '../http/query-string.ts'
import type { ApiResponse, Handler } from '../http/request-state.ts'
import { usedOtherwise } from '../idempotency/key-conflicts.ts'
import { countWritten } from '../limits/written-bytes.ts'
import type { V1 } from '../v1/call.ts'
import { readUploadForm, type UploadForm } from './multipart.ts'
import { readUploadFields } from './upload-input.ts'

/** Path of uploads; a body of JSON there is a record as everywhere. */
export const UPLOAD_PATH = '/files'

/**
 * Stage that takes `POST /v1/files` with a form: a file, streamed to where files are kept, and its record (contract §7.5).
 * Anything else goes on to the routes of records.
 */
export function uploads(
  { engine, idempotency }: Pick<V1, 'engine' | 'idempotency'>,
  files: Files | undefined,
): Handler {
  return async function uploadStage(request, response, next) {
    if (request.method !== 'POST' || request.path !== UPLOAD_PATH || !isMultipart(request))
      return next()
    assertKnown(readQuery(request.url), [])
    const { actor, tier } = response.locals
    const context = engine.context(actor, tier)
    const definition = filesOf(context.services)
    response.locals.resource = definition.slug
    assertMay(context, definition, 'create')
    const form = await readUploadForm(request, (stream) =>
      keeping(files).receiving.take(stream, largestFile(context)),
    )
    try {
      const file = wholeFile(form)
      const { stored } = response.locals.idempotency ?? {}
      if (stored) {
        assertSame(stored, file.received.hash)
        idempotency.replay(response)
        return
      }
      const about = readUploadFields(context, form.fields)
      const keep = async (
        tx: Parameters<NonNullable<Context['beforeCommit']>>[0],
        result: DocumentResult | null,
      ) => {
        await countWritten(tx, actor, file.received.size, context.services.clock.now())
        if (result) await idempotency.keep(tx, response, made(definition.slug, result))
      }
      const result = await keepFile(
        { ...context, beforeCommit: keep },
        keeping(files),
        file.received,
        {
          ...about,
          name: file.name,
        },
      )
      sendAnswer(response as ApiResponse, made(definition.slug, result))
    } finally {
      form.file?.received.drop()
    }
  }
}

/** 201 with the record of the file. */
function made(slug: string, { id, json, etag }: DocumentResult): Answer {
  return { status: 201, headers: { Location: `/v1/${slug}/${id}`, ETag: etag }, body: json }
}

/** The place of files. Throws UNAVAILABLE where this process has none. */
export function keeping(files: Files | undefined): Files {
  if (files) return files
  throw new AppError(
    'UNAVAILABLE',
    'this server keeps no files: it was started without a place for them',
  )
}

/** The file of a form. Throws 422 where none came. */
export function wholeFile({ file }: UploadForm): NonNullable<UploadForm['file']> {
  if (file) return file
  throw validationError([
    { field: 'file', message: 'is missing: expected a file', code: 'required' },
  ])
}

/** A key stands for one content, as for one body of JSON elsewhere. Throws 422. */
function assertSame({ body = '{}' }: Answer, hash: string): void {
  if ((JSON.parse(body) as { content_hash?: string }).content_hash !== hash) throw usedOtherwise()
}
