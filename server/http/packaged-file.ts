import { hash } from 'node:crypto'
import { extname } from 'node:path'
import type { Request } from 'express'
import type { Handler } from './request-state.ts'

/** A file of the program: its name, what is in it, which is read when it is first wanted, and how long it may be kept. */
interface PackagedFile {
  readonly name: string
  readonly content: () => Buffer
  readonly cacheControl: string
}

/**
 * Answers GET and HEAD with a file of the program, which may lie on disk or in the single binary: with an ETag
 * of its content, 304 to who has it, and the part that a Range asks for (RFC 9110 §14). It is read once, by its
 * first request, which fails where the installation lacks it.
 */
export function packagedFile({ name, content: contentOf, cacheControl }: PackagedFile): Handler {
  let known: { readonly type: string; readonly content: Buffer; readonly tag: string } | undefined

  function read(): NonNullable<typeof known> {
    const content = contentOf()
    // Weak, because it may go out compressed, which has other bytes.
    return { type: extname(name), content, tag: `W/"${hash('sha256', content, 'base64url')}"` }
  }

  return (request, response) => {
    known ??= read()
    const { type, content, tag } = known
    response.type(type)
    response.setHeader('Cache-Control', cacheControl)
    response.setHeader('Accept-Ranges', 'bytes')
    response.setHeader('ETag', tag)
    const range = request.fresh ? undefined : rangeOf(request, content.length)
    if (range === undefined) {
      response.send(content)
      return
    }
    // A part that was compressed would be no part of anything.
    response.setHeader('Cache-Control', `${cacheControl}, no-transform`)
    if (range === 'none') {
      response.status(416).setHeader('Content-Range', `bytes */${content.length}`).end()
      return
    }
    const { start, end } = range
    response.status(206).setHeader('Content-Range', `bytes ${start}-${end}/${content.length}`)
    response.send(content.subarray(start, end + 1))
  }
}

/** The one part that is asked for, its end included; undefined for all of it, `none` when there is no such part. */
function rangeOf(
  request: Request,
  length: number,
): { readonly start: number; readonly end: number } | 'none' | undefined {
  // A weak tag never says that the parts of two answers belong together.
  if (request.method !== 'GET' || request.headers['if-range'] !== undefined) return undefined
  const ranges = request.range(length, { combine: true })
  if (ranges === -1) return 'none'
  return Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1
    ? ranges[0]
    : undefined
}
