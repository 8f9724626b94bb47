import { createReadStream, statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { fileProblem } from '../../engine/base/file-error.ts'
import { Failure } from '../failure.ts'

/** A text to import, as it comes in. */
export interface Source {
  /** The file as messages name it; `stdin` for standard input. */
  readonly name: string
  /** Size in bytes, where it is known. */
  readonly size: number | undefined
  /** The text in pieces of at most 64 KB, without a byte order mark. Throws Failure for what is not UTF-8. */
  readonly text: AsyncIterable<string>
  /** Reads no more: standard input that stays open would keep the process alive. */
  close(): void
}

const PIECE = 64 * 1024

/**
 * Opens a file, or standard input for `-`. A file is looked through once before: one that is not UTF-8 is
 * refused before its first row is taken, not in its middle. Throws Failure for what cannot be read.
 */
export async function openSource(file: string): Promise<Source> {
  if (file === '-') return sourceOf('stdin', undefined, process.stdin)
  const size = sizeOf(file)
  const open = (): Source => sourceOf(file, size, createReadStream(file, { highWaterMark: PIECE }))
  if (size !== undefined) for await (const _ of open().text);
  return open()
}

/** Size of a file; undefined for pipes, which can be read but once. */
function sizeOf(file: string): number | undefined {
  try {
    const found = statSync(file)
    if (found.isDirectory()) throw new Failure(`${file} is a folder; expected a file`)
    return found.isFile() ? found.size : undefined
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`cannot read ${file}: ${fileProblem(error)}`, { cause: error })
  }
}

function sourceOf(name: string, size: number | undefined, bytes: Readable): Source {
  let read = 0
  async function* decoded(): AsyncGenerator<string> {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    try {
      for await (const piece of bytes) {
        if (read === 0) refuseUtf16(name, piece)
        read += piece.length
        yield decoder.decode(piece, { stream: true })
      }
      yield decoder.decode()
    } catch (error) {
      if (error instanceof Failure) throw error
      if (!(error instanceof TypeError))
        throw new Failure(`cannot read ${name}: ${fileProblem(error)}`, { cause: error })
      throw new Failure(`${name} is not UTF-8: save it as UTF-8 (in a spreadsheet "CSV UTF-8")`, {
        cause: error,
      })
    }
  }
  return { name, size, text: decoded(), close: () => void bytes.destroy() }
}

function refuseUtf16(name: string, [first, second]: Uint8Array): void {
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  if (isMarked || first === 0 || second === 0)
    throw new Failure(
      `${name} is UTF-16, expected UTF-8: save it as UTF-8 (in a spreadsheet "CSV UTF-8")`,
    )
}
