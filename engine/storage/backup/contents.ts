import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, readSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { damaged } from './manifest.ts'

/** Bytes of uploaded files, by their hash; none for one that is not there, an empty part for an empty one. */
export type ContentParts = (hash: string) => Iterable<Buffer> | AsyncIterable<Buffer>

/** Receiver of the parts of contents in their order, whole contents one after the other. */
export type TakeContent = (hash: string, part: Buffer) => void

/** Bytes of one part: what is in memory at a time. */
const PART = 1 << 20

/** Path of a content in a folder of them: two letters of the hash are a folder of their own. */
export function contentPath(folder: string, hash: string): string {
  return join(folder, hash.slice(0, 2), hash)
}

/** Contents of a folder. */
export function contentsIn(folder: string): ContentParts {
  return function* parts(hash) {
    const path = contentPath(folder, hash)
    if (!existsSync(path)) return
    const file = openSync(path, 'r')
    try {
      for (let at = 0; ; ) {
        const part = Buffer.alloc(PART)
        const length = readSync(file, part, 0, PART, at)
        // An empty file has one part, which is empty.
        if (length === 0 && at > 0) return
        yield part.subarray(0, length)
        if (length === 0) return
        at += length
      }
    } finally {
      closeSync(file)
    }
  }
}

/** Writes contents into a folder that is empty. Throws VALIDATION_ERROR for what no content is called. */
export function writeContents(folder: string): TakeContent {
  return (hash, part) => {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw damaged('it has a file whose name is no checksum')
    const path = contentPath(folder, hash)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    appendFileSync(path, part, { mode: 0o600 })
  }
}
