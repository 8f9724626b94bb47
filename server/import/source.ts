import type { Readable } from 'node:stream'
import { fileProblem } from '../../engine/base/file-error.ts'
import { FileRefused } from './file-refused.ts'

/** A text to import, as it comes in. */
export interface Source {
  /** The file as messages name it; `stdin` for standard input. */
  readonly name: string
  /** Size in bytes, where it is known. */
  readonly size: number | undefined
  /** The text in pieces of at most 64 KB, without a byte order mark. Throws FileRefused for what is not UTF-8. */
  readonly text: AsyncIterable<string>
  /** Reads no more: standard input that stays open would keep the process alive. */
  close(): void
}

/** The text of bytes that come in. */
export function sourceOf(name: string, size: number | undefined, bytes: Readable): Source {
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
      if (error instanceof FileRefused) throw error
      if (!(error instanceof TypeError))
        throw new FileRefused(`cannot read ${name}: ${fileProblem(error)}`, { cause: error })
      throw new FileRefused(
        `${name} is not UTF-8: save it as UTF-8 (in a spreadsheet "CSV UTF-8")`,
        {
          cause: error,
        },
      )
    }
  }
  return { name, size, text: decoded(), close: () => void bytes.destroy() }
}

function refuseUtf16(name: string, [first, second]: Uint8Array): void {
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  if (isMarked || first === 0 || second === 0)
    throw new FileRefused(
      `${name} is UTF-16, expected UTF-8: save it as UTF-8 (in a spreadsheet "CSV UTF-8")`,
    )
}
