import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { type AppError, validationError } from '../../engine/base/errors.ts'
import type { Received } from '../files/receive.ts'
import { badRequest } from '../http/body.ts'

/** A form with at most one file, which has arrived. */
export interface UploadForm {
  readonly fields: ReadonlyMap<string, string>
  readonly file: { readonly name: string; readonly received: Received } | undefined
}

/** Most fields beside the file, and the longest value of one, in bytes. */
const MOST_FIELDS = 20
const LONGEST_FIELD = 16 * 1024

/** Bytes that are read of a request after it was refused, so that its answer arrives. */
const MOST_DRAINED = 64 * 1024 * 1024

/**
 * Reads a form whose field `fileField` is a file: it goes through `take` as it comes, with the fields before it, so memory stays flat. Throws 400 for
 * what is no form, 422 for a second file, or one of another name, and what `take` throws; what was taken is dropped then.
 */
export async function readUploadForm(
  request: IncomingMessage,
  take: (stream: Readable, fields: ReadonlyMap<string, string>) => Promise<Received>,
  fileField = 'file',
): Promise<UploadForm> {
  const { Busboy } = await import('@fastify/busboy')
  let parser: InstanceType<typeof Busboy>
  try {
    parser = new Busboy({
      headers: request.headers as { 'content-type': string },
      limits: { fields: MOST_FIELDS, fieldSize: LONGEST_FIELD, files: 2, parts: MOST_FIELDS + 2 },
    })
  } catch {
    drain(request)
    throw noForm()
  }
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>()
    let stream: Readable | undefined
    let file: Promise<NonNullable<UploadForm['file']>> | undefined
    let isOver = false

    function fail(error: unknown): void {
      if (isOver) return
      isOver = true
      request.unpipe(parser)
      stream?.destroy()
      drain(request)
      // It is refused for what came first, and what has arrived meanwhile goes.
      file?.then(
        ({ received }) => received.drop(),
        () => undefined,
      )
      reject(error)
    }

    parser.on('field', (name, value, isNameCut, isValueCut) => {
      if (isNameCut || isValueCut) return fail(tooLong(name))
      if (value.includes('\0')) return fail(wrong(name, 'text may not contain the NUL character'))
      fields.set(name, value)
    })
    parser.on('fieldsLimit', () => fail(wrong('file', `expected at most ${MOST_FIELDS} fields`)))
    parser.on('file', (name, part, filename) => {
      const second = file !== undefined
      if (name !== fileField || second) {
        part.on('error', () => undefined)
        part.resume()
        return fail(wrong(name, `expected one file, in the field \`${fileField}\``))
      }
      stream = part
      file = take(part, fields).then((received) => ({ name: filename ?? '', received }))
      file.catch(fail)
    })
    parser.on('error', () => fail(noForm()))
    parser.on('finish', () => {
      Promise.resolve(file).then((whole) => {
        if (isOver) return
        isOver = true
        resolve({ fields, file: whole })
      }, fail)
    })
    request.on('close', () => {
      if (!request.complete) fail(badRequest('the connection broke before the whole file came'))
    })
    request.on('error', () => fail(badRequest('the connection broke before the whole file came')))
    request.pipe(parser)
  })
}

/** Reads on for a while, and throws it away: who is still sending would not see the answer else. */
function drain(request: IncomingMessage): void {
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MOST_DRAINED) request.destroy()
  })
  request.resume()
}

function noForm(): AppError {
  return badRequest('expected a multipart form with a file, got a body that is none')
}

function tooLong(field: string): AppError {
  return wrong(field.slice(0, 100), `expected at most ${LONGEST_FIELD} bytes`)
}

function wrong(field: string, message: string): AppError {
  return validationError([{ field, message, code: 'wrong_type' }])
}
