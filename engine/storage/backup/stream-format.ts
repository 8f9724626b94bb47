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
  const file = createReadStream(path)
  const gunzip = createGunzip({ chunkSize: CHUNK })
  // What goes wrong comes out of the reading below.
  pipeline(file, gunzip, () => undefined)
  const chunks = gunzip[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const hash = createHash('sha256')
  let rest: Buffer = NOTHING

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

  /** Reads on to the next line break, or the end; false where there is nothing more. */
  async function more(limit: number): Promise<boolean> {
    const pieces = [rest]
    for (let length = rest.length; ; ) {
      const piece = await chunk()
      if (piece) pieces.push(piece)
      if (!piece || piece.includes(NEWLINE)) break
      length += piece.length
      if (length > limit) throw damaged('it has a line without end')
    }
    if (pieces.length > 1) rest = Buffer.concat(pieces)
    return pieces.length > 1
  }

  function take(length: number): Buffer {
    const taken = rest.subarray(0, length)
    rest = rest.subarray(length)
    hash.update(taken)
    return taken
  }

  async function line(): Promise<unknown> {
    let end = rest.indexOf(NEWLINE)
    while (end < 0) {
      const from = rest.length
      if (!(await more(MAX_LINE))) {
        if (rest.length > 0) throw damaged('it ends in the middle of a line')
        return undefined
      }
      end = rest.indexOf(NEWLINE, from)
    }
    try {
      return JSON.parse(take(end + 1).toString('utf8'))
    } catch (error) {
      throw damaged('it has a line that is no JSON', error)
    }
  }

  async function* rows(): AsyncGenerator<Buffer> {
    for (;;) {
      if (startsWith(rest, END_OF_ROWS)) {
        take(END_OF_ROWS.length)
        return
      }
      const end = endOfRows(rest)
      if (end >= 0) yield take(end)
      else {
        const lines = rest.lastIndexOf(NEWLINE) + 1
        if (lines > 0) yield take(lines)
        if (!(await more(MAX_ROW))) throw damaged('it ends in the middle of a table')
      }
    }
  }

  return {
    sha256: () => hash.copy().digest('hex'),
    line,
    rows,
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
