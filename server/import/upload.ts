import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { AppError, validationError } from '../../engine/base/errors.ts'
import { badRequest } from '../http/body.ts'
import { FileRefused } from './file-refused.ts'
import { sourceOf } from './source.ts'

/** A form with a file, whose text has been kept. */
export interface UploadedText {
  readonly fields: ReadonlyMap<string, string>
  /** Name of the file. */
  readonly name: string
  /** Line breaks in it. */
  readonly lines: number
  /** SHA-256 of its text. */
  readonly hash: string
}

/** Keeps a piece of the text of a file; pieces come in their order. */
type KeepPiece = (part: number, text: string) => Promise<void>

/** Characters of a piece that is kept. */
const PIECE = 256 * 1024
/** Most bytes of a file. */
const MOST_BYTES = 256 * 1024 * 1024
const MOST_FIELDS = 10
const LONGEST_FIELD = 64 * 1024

/**
 * Reads a form with one file, in the field `file`, and hands its text to `keep` as it comes: memory does not grow with it. The
 * fields may stand before or behind it. Throws 400 for what is no such form, 413 for a file that is too large, 422 for a
 * file that is no UTF-8 and for a form without one.
 */
export async function readUpload(request: IncomingMessage, keep: KeepPiece): Promise<UploadedText> {
  const { Busboy } = await import('@fastify/busboy')
  let form: InstanceType<typeof Busboy>
  try {
    form = new Busboy({
      headers: request.headers as { 'content-type': string },
      limits: { files: 1, fileSize: MOST_BYTES, fields: MOST_FIELDS, fieldSize: LONGEST_FIELD },
    })
  } catch {
    request.resume()
    throw badRequest('expected a multipart form with a file, got a body that is none')
  }
  const fields = new Map<string, string>()
  let taken: Promise<Omit<UploadedText, 'fields'>> | undefined
  await new Promise<void>((resolve, reject) => {
    const fail = (error: unknown): void => {
      request.unpipe(form)
      request.resume()
      reject(error)
    }
    const broke = (): void => {
      if (!request.complete) fail(badRequest('the connection broke before the whole file came'))
    }
    form.on('field', (name, value, _isNameCut, isCut) => {
      if (isCut) fail(wrong(name, `expected at most ${LONGEST_FIELD} bytes`))
      else if (value.includes('\0')) fail(wrong(name, 'text may not contain the NUL character'))
      else fields.set(name, value)
    })
    form.on('file', (field, stream, name = '') => {
      if (field !== 'file') {
        stream.resume()
        fail(wrong(field, 'expected the file in the field `file`'))
        return
      }
      taken = keepText(stream, name, keep)
      taken.catch((error: unknown) => {
        stream.resume()
        fail(error)
      })
    })
    form.on('filesLimit', () => fail(wrong('file', 'expected one file')))
    form.on('fieldsLimit', () => fail(wrong('file', `expected at most ${MOST_FIELDS} fields`)))
    form.on('error', () => fail(badRequest('expected a whole multipart form, got a broken one')))
    form.on('finish', resolve)
    request.on('close', broke)
    request.on('error', broke)
    request.pipe(form)
  })
  if (!taken) throw validationError([{ field: 'file', message: 'is required', code: 'required' }])
  return { fields, ...(await taken) }
}

function wrong(field: string, message: string): AppError {
  return validationError([{ field: field.slice(0, 100), message, code: 'wrong_type' }])
}

async function keepText(
  stream: Readable & { readonly truncated?: boolean },
  name: string,
  keep: KeepPiece,
): Promise<Omit<UploadedText, 'fields'>> {
  let part = 0
  let lines = 0
  let piece = ''
  const hash = createHash('sha256')
  const put = async (): Promise<void> => {
    if (piece.includes('\0')) throw wrong('file', 'text may not contain the NUL character')
    await keep(part, piece)
    part += 1
    piece = ''
  }
  try {
    for await (const text of sourceOf(name, undefined, stream).text) {
      lines += text.split('\n').length - 1
      piece += text
      hash.update(text)
      if (piece.length >= PIECE) await put()
    }
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    throw wrong('file', error.message)
  }
  if (stream.truncated)
    throw new AppError('PAYLOAD_TOO_LARGE', `expected a file of at most ${MOST_BYTES} bytes`)
  if (piece !== '') await put()
  return { name, lines, hash: hash.digest('base64url') }
}
