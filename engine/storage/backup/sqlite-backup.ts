import { randomBytes } from 'node:crypto'
import BetterSqlite3 from 'better-sqlite3'
import type { ContentParts, TakeContent } from './contents.ts'
import { digestWithout, overwrite } from './digest.ts'
import {
  assertSameRows,
  BACKUP_FORMAT,
  type BackupFacts,
  type BackupFile,
  type BackupManifest,
  type CheckedBackup,
  damaged,
  nothingThere,
  type OnProgress,
  type RowCounts,
  readManifest,
} from './manifest.ts'
import { quotedName } from './quoted-name.ts'

/** Tables of a backup beside those of the workspace. A restore takes them out again. */
export const BACKUP_TABLES = [
  'svc_backup',
  'svc_backup_files',
  'svc_backup_contents',
  'svc_backup_digest',
] as const

/** Pages copied between two looks at the event loop. */
const STEP = 1000

/**
 * Copies the SQLite file of a workspace, whoever writes it meanwhile, into a plain SQLite file that also holds
 * manifest, files and its own checksum (docs/decisions/0029). `target` is a new or an empty file. Throws NOT_FOUND
 * where there is no workspace.
 */
export async function takeSqliteBackup(
  file: string,
  target: string,
  facts: BackupFacts,
  files: readonly BackupFile[],
  onProgress?: OnProgress,
  contents: ContentParts = () => [],
): Promise<void> {
  const source = openFile(file, { readonly: true })
  try {
    // Whoever copies without a snapshot starts over at each write of another process, and may never end.
    source.exec('begin')
    assertWorkspace(source)
    const manifest: BackupManifest = {
      ...facts,
      format: BACKUP_FORMAT,
      kind: 'sqlite',
      tables: [],
    }
    const rows = countRows(source)
    await source.backup(target, {
      progress({ totalPages, remainingPages }) {
        onProgress?.(totalPages - remainingPages, totalPages)
        return STEP
      },
    })
    const mark = await complete(openFile(target), { manifest, rows, files, contents })
    const { sha256, places } = digestWithout(target, mark)
    overwrite(target, places, sha256)
  } finally {
    source.close()
  }
}

/** Throws NOT_FOUND for a file that was never migrated, which would be restored to nothing. */
function assertWorkspace(database: BetterSqlite3.Database): void {
  if (!database.prepare("select 1 from sqlite_schema where name = 'svc_schema'").get())
    throw nothingThere()
}

interface Completion {
  readonly manifest: BackupManifest
  readonly rows: RowCounts
  readonly files: readonly BackupFile[]
  readonly contents: ContentParts
}

/** Adds to a copy what makes it a backup; its checksum has to wait until the file is closed. */
async function complete(
  copy: BetterSqlite3.Database,
  { manifest, rows, files, contents }: Completion,
): Promise<string> {
  const mark = randomBytes(32).toString('hex')
  try {
    // The copy is one file for any tool, on any medium: a log beside it would be lost on the way.
    copy.pragma('journal_mode = delete')
    // Nobody else has the copy open, so its transaction may wait for contents that come from elsewhere.
    copy.exec(`
      begin;
      create table svc_backup_digest (sha256 text not null) strict;
      create table svc_backup (manifest text not null, rows text not null) strict;
      create table svc_backup_files (path text primary key, mode integer not null, content blob not null) strict;
      create table svc_backup_contents (hash text not null, part integer not null, content blob not null,
        primary key (hash, part)) strict, without rowid`)
    copy.prepare('insert into svc_backup_digest values (?)').run(mark)
    const stored = [JSON.stringify(manifest), JSON.stringify(rows)]
    copy.prepare('insert into svc_backup values (?, ?)').run(stored)
    const insert = copy.prepare('insert into svc_backup_files values (?, ?, ?)')
    for (const { path, mode, content } of files) insert.run(path, mode, content)
    await addContents(copy, contents)
    copy.exec('commit')
    return mark
  } finally {
    copy.close()
  }
}

/** Adds the contents of uploaded files that the copy knows of, a part in memory at a time. */
async function addContents(copy: BetterSqlite3.Database, contents: ContentParts): Promise<void> {
  const isKept = "select 1 from sqlite_schema where name = 'svc_file_contents'"
  if (!copy.prepare(isKept).get()) return
  const hashes = copy
    .prepare('select hash from svc_file_contents order by hash')
    .pluck()
    .all() as string[]
  const insert = copy.prepare('insert into svc_backup_contents values (?, ?, ?)')
  for (const hash of hashes) {
    let number = 0
    for await (const part of contents(hash)) insert.run(hash, number++, part)
  }
}

/** Hands the contents of uploaded files in a backup that was checked to `take`, in their order. */
export function readSqliteContents(file: string, take: TakeContent): void {
  const copy = openFile(file, { readonly: true })
  try {
    const rows = copy.prepare('select hash, content from svc_backup_contents order by hash, part')
    for (const { hash, content } of rows.iterate() as Iterable<{ hash: string; content: Buffer }>)
      take(hash, content)
  } finally {
    copy.close()
  }
}

/**
 * Reads a backup of SQLite whole. Throws VALIDATION_ERROR when it is none, was changed or cut off since it was
 * made, or is of a newer program.
 */
export function checkSqliteBackup(file: string, program: string): CheckedBackup {
  try {
    return readBackup(file, program)
  } catch (error) {
    if (error instanceof BetterSqlite3.SqliteError) throw damaged(error.message, error)
    if (error instanceof SyntaxError) throw damaged('it has a text that is no JSON', error)
    throw error
  }
}

function readBackup(file: string, program: string): CheckedBackup {
  const copy = openFile(file, { readonly: true })
  try {
    if (!hasBackupTables(copy)) {
      throw damaged(
        'it is a SQLite database, but not one that `svc backup` made (a copy of workspace.db alone may lack the newest changes)',
      )
    }
    const expected = String(copy.prepare('select sha256 from svc_backup_digest').pluck().get())
    if (!/^[0-9a-f]{64}$/.test(expected) || digestWithout(file, expected).sha256 !== expected)
      throw damaged('its checksum is another one, so it was changed or cut off since it was made')
    const stored = copy.prepare('select manifest, rows from svc_backup').get() as {
      manifest: string
      rows: string
    }
    const manifest = readManifest(JSON.parse(stored.manifest), program)
    const rows = (JSON.parse(stored.rows) ?? {}) as RowCounts
    assertSound(copy)
    assertSameRows(rows, countRows(copy))
    const files = copy.prepare('select path, mode, content from svc_backup_files').all()
    if (!(files as BackupFile[]).every(isFile)) throw damaged('a file of it cannot be read')
    const contents = copy
      .prepare('select count(distinct hash) from svc_backup_contents')
      .pluck()
      .get() as number
    return { manifest, files: files as BackupFile[], contents, rows, sha256: expected }
  } finally {
    copy.close()
  }
}

/** Whether a backup's tables are there; a view of such a name would run its statement for whoever reads the file. */
function hasBackupTables(database: BetterSqlite3.Database): boolean {
  const names = database
    .prepare("select name from pragma_table_list where schema = 'main' and type = 'table'")
    .pluck()
    .all()
  return BACKUP_TABLES.every((name) => names.includes(name))
}

function isFile({ path, mode, content }: BackupFile): boolean {
  return typeof path === 'string' && Number.isInteger(mode) && Buffer.isBuffer(content)
}

/** Opens a file that is there. */
export function openFile(
  file: string,
  options: BetterSqlite3.Options = {},
): BetterSqlite3.Database {
  return new BetterSqlite3(file, { fileMustExist: true, ...options })
}

/** Throws VALIDATION_ERROR with what SQLite finds wrong. */
export function assertSound(database: BetterSqlite3.Database): void {
  const found = String(database.pragma('integrity_check', { simple: true }))
  if (found !== 'ok') throw damaged(found.split('\n')[0] ?? '')
}

/** Rows of every table but those of the backup itself; the search index is one of them. */
function countRows(database: BetterSqlite3.Database): RowCounts {
  const names = database
    .prepare(
      `select name from pragma_table_list where schema = 'main' and type in ('table', 'virtual')
        and name not like 'sqlite\\_%' escape '\\' order by name`,
    )
    .pluck()
    .all() as string[]
  const counted = names.filter((name) => !BACKUP_TABLES.some((own) => own === name))
  return Object.fromEntries(
    counted.map((name) => [
      name,
      database
        .prepare(`select count(*) from ${quotedName(name)}`)
        .pluck()
        .get() as number,
    ]),
  )
}
