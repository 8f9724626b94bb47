import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { damaged } from './manifest.ts'

/** Line that ends the rows of a table, as in PostgreSQL's own dumps: COPY writes no line like it. */
export const END_OF_ROWS = Buffer.from('\\.\n')

/** The longest line that is taken into memory, in bytes: the manifest, or a file. */
const MAX_LINE = 64 * 1024 * 1024
/** The longest row: a record has at most 16 million characters, and some take several bytes. */
const MAX_ROW = 4 * MAX_LINE
const CHUNK = 1 << 20
const NEWLINE = 0x0a
const NOTHING = Buffer.alloc(0)

/** A backup of PostgreSQL that is being read, from its first byte to its last. */
export interface BackupReader {
  /** SHA-256 of all that was read so far, hex. */
  sha256(): string
  /** The next line as JSON; undefined at the end. */
  line(): Promise<unknown>
  /** The rows up to `END_OF_ROWS`, whole lines at a time. To be read to its end. */
  rows(): AsyncGenerator<Buffer>
  close(): void
}

/** Reads a file of lines (docs/decisions/0029). All throw VALIDATION_ERROR for a file that is damaged. */
export function openBackupReader(path: string): BackupReader {
  const input = openBytes(path)

  async function line(): Promise<unknown> {
    let end = input.unread.indexOf(NEWLINE)
    while (end < 0) {
      const from = input.unread.length
      if (!(await input.more(MAX_LINE))) {
        if (input.unread.length > 0) throw damaged('it ends in the middle of a line')
        return undefined
      }
      end = input.unread.indexOf(NEWLINE, from)
    }
    try {
      return JSON.parse(input.take(end + 1).toString('utf8'))
    } catch (error) {
      throw damaged('it has a line that is no JSON', error)
    }
  }

  async function* rows(): AsyncGenerator<Buffer> {
    for (;;) {
      if (startsWith(input.unread, END_OF_ROWS)) {
        input.take(END_OF_ROWS.length)
        return
      }
      const end = endOfRows(input.unread)
      if (end >= 0) yield input.take(end)
      else {
        const lines = input.unread.lastIndexOf(NEWLINE) + 1
        if (lines > 0) yield input.take(lines)
        if (!(await input.more(MAX_ROW))) throw damaged('it ends in the middle of a table')
      }
    }
  }

  return { sha256: input.sha256, line, rows, close: input.close }
}

/** The unpacked bytes of a file, in memory as far as they were read and not taken. */
interface Bytes {
  readonly unread: Buffer
  /** Reads on to the next line break, or the end; false where there is nothing more. */
  more(limit: number): Promise<boolean>
  take(length: number): Buffer
  /** SHA-256 of all that was taken, hex. */
  sha256(): string
  close(): void
}

function openBytes(path: string): Bytes {
  const file = createReadStream(path)
  const gunzip = createGunzip({ chunkSize: CHUNK })
  // What goes wrong comes out of the reading below.
  pipeline(file, gunzip, () => undefined)
  const chunks = gunzip[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const hash = createHash('sha256')
  let unread: Buffer = NOTHING

  async function chunk(): Promise<Buffer | undefined> {
    try {
      const { value, done } = await chunks.next()
      return done ? undefined : value
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException
      if (!code.startsWith('Z_')) throw error
      throw damaged(message, error)
    }
  }

  return {
    get unread() {
      return unread
    },
    async more(limit) {
      const pieces = [unread]
      for (let length = unread.length; ; ) {
        const piece = await chunk()
        if (piece) pieces.push(piece)
        if (!piece || piece.includes(NEWLINE)) break
        length += piece.length
        if (length > limit) throw damaged('it has a line without end')
      }
      if (pieces.length > 1) unread = Buffer.concat(pieces)
      return pieces.length > 1
    },
    take(length) {
      const taken = unread.subarray(0, length)
      unread = unread.subarray(length)
      hash.update(taken)
      return taken
    },
    sha256: () => hash.copy().digest('hex'),
    close: () => void file.destroy(),
  }
}

/** Offset at which the rows end that `lines` begins with; -1 when that is further on. */
function endOfRows(lines: Buffer): number {
  const at = lines.indexOf(`\n${END_OF_ROWS}`)
  return at < 0 ? -1 : at + 1
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return (
    bytes.length >= start.length && bytes.compare(start, 0, start.length, 0, start.length) === 0
  )
}
