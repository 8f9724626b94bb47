import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** A zip that is being written, one file in it after the other: none is in memory, however long it is. */
export interface Zip {
  /** Adds a file; resolves when all of it has been taken. Throws what its chunks throw, and what keeps the zip from being written. */
  add(path: string, chunks: AsyncIterable<Buffer | string>, options?: ZipEntry): Promise<void>
}

export interface ZipEntry {
  /** Whether it is made smaller; pictures and papers are small already. */
  readonly isPacked?: boolean
  readonly changed?: Date | undefined
}

/** Mode of the files when they are unpacked. */
const MODE = 0o100_644

/** Writes a zip into this file, which is empty; it is whole when this resolves. */
export async function writeZip<T>(file: string, fill: (zip: Zip) => Promise<T>): Promise<T> {
  const zip = new ZipFile()
  const written = pipeline(
    zip.outputStream as unknown as Readable,
    createWriteStream(file, { flush: true }),
  )
  const broken = Promise.race([
    written,
    once(zip, 'error').then(([error]) => Promise.reject(error)),
  ])
  // It is thrown by whoever waits for it.
  broken.catch(() => undefined)
  const add: Zip['add'] = async (path, chunks, { isPacked = true, changed } = {}) => {
    const content = Readable.from(bytesOf(chunks), { objectMode: false })
    const options = { mode: MODE, compress: isPacked, ...(changed ? { mtime: changed } : {}) }
    zip.addReadStream(content, path, options)
    await Promise.race([finished(content), broken])
  }
  try {
    const result = await fill({ add })
    zip.end()
    await broken
    return result
  } catch (error) {
    const output = zip.outputStream as unknown as Readable
    output.destroy()
    throw error
  }
}

async function* bytesOf(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
}
