import type { TakeContent } from './contents.ts'
import {
  assertSameRows,
  type BackupFile,
  type CheckedBackup,
  damaged,
  type RowCounts,
  readManifest,
} from './manifest.ts'
import type { BackupTable } from './postgres-tables.ts'
import { openBackupReader } from './stream-format.ts'

const NEWLINE = 0x0a

/** Receiver of each table of a backup, and of its rows as the text of COPY, which it reads to their end. */
export type TakeTable = (
  table: BackupTable,
  columns: readonly string[],
  rows: AsyncGenerator<Buffer>,
) => Promise<void>

/**
 * Reads a backup of PostgreSQL from its first to its last byte, a chunk in memory at a time. Throws
 * VALIDATION_ERROR when it is none, was changed or cut off since it was made, or is of a newer program: what
 * `take` has done by then is to be undone.
 */
export async function readPostgresBackup(
  path: string,
  program: string,
  take: TakeTable = drain,
  takeContent: TakeContent = () => undefined,
): Promise<CheckedBackup> {
  const reader = openBackupReader(path)
  try {
    const manifest = readManifest(await reader.line(), program)
    const shapes = new Map(manifest.tables.map((table) => [table.shape.name, table]))
    const files: BackupFile[] = []
    const hashes = new Set<string>()
    const rows: Record<string, number> = {}
    for (;;) {
      const sha256 = reader.sha256()
      const line = (await reader.line()) as Line | null | undefined
      if (line === undefined || line === null) throw damaged('its end is missing')
      if (line.file !== undefined) files.push(fileOf(line))
      else if (line.hash !== undefined) {
        takeContent(line.hash, Buffer.from(line.content ?? '', 'base64'))
        hashes.add(line.hash)
      } else if (line.table !== undefined) {
        const table = shapes.get(line.table)
        if (!table || line.table in rows) throw damaged(`it has a table ${line.table} too many`)
        const counted = countLines(reader.rows())
        await take(table, line.columns ?? [], counted.lines)
        rows[line.table] = counted.count()
      } else {
        if (line.sha256 !== sha256) throw damaged('its checksum is another one')
        if ((await reader.line()) !== undefined) throw damaged('it goes on after its end')
        assertSameRows(line.rows ?? {}, rows)
        return { manifest, files, contents: hashes.size, rows, sha256 }
      }
    }
  } finally {
    reader.close()
  }
}

/** Fields of the lines after the manifest: of a file, of a table, or of the end. */
interface Line {
  readonly file?: string
  readonly mode?: number
  /** Of a part of the content of an uploaded file. */
  readonly hash?: string
  readonly content?: string
  readonly table?: string
  readonly columns?: readonly string[]
  readonly rows?: RowCounts
  readonly sha256?: string
}

function fileOf({ file = '', mode = 0o600, content = '' }: Line): BackupFile {
  if (typeof file !== 'string' || !Number.isInteger(mode) || typeof content !== 'string')
    throw damaged('a file of it cannot be read')
  return { path: file, mode, content: Buffer.from(content, 'base64') }
}

async function drain(
  _table: BackupTable,
  _columns: readonly string[],
  rows: AsyncGenerator<Buffer>,
): Promise<void> {
  for await (const _chunk of rows);
}

/** Counts rows as they pass. COPY writes a row a line: a line break within a value is two characters there. */
function countLines(chunks: AsyncGenerator<Buffer>): {
  readonly lines: AsyncGenerator<Buffer>
  readonly count: () => number
} {
  let count = 0
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count += 1
      yield chunk
    }
  }
  return { lines: counted(), count: () => count }
}
