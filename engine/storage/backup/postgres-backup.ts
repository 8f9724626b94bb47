import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import copyStreams from 'pg-copy-streams'
import { withMigrationLock } from '../migration/migration-lock.ts'
import type { ContentParts } from './contents.ts'
import {
  BACKUP_FORMAT,
  type BackupFacts,
  type BackupFile,
  type BackupManifest,
  nothingThere,
  type OnProgress,
} from './manifest.ts'
import { connectPostgres, type PostgresSession } from './postgres-session.ts'
import { type BackupTable, columnsOf, readTables } from './postgres-tables.ts'
import { quotedName } from './quoted-name.ts'
import { END_OF_ROWS } from './stream-format.ts'

/** Time a migration under way is waited for, in ms. */
const LOCK_TIMEOUT = 60_000

/** Level of gzip: half the time of its usual one, for some percent more bytes. */
const GZIP_LEVEL = 3

/** Table of the contents of uploaded files. */
const CONTENTS = 'svc_file_contents'

/**
 * Writes a workspace on PostgreSQL, as it is at one moment, into a file of gzipped lines
 * (docs/decisions/0029); nobody waits for it but migrations. Throws NOT_FOUND where there is no workspace.
 */
export async function takePostgresBackup(
  url: string,
  target: string,
  facts: BackupFacts,
  files: readonly BackupFile[],
  onProgress?: OnProgress,
  contents: ContentParts = () => [],
): Promise<void> {
  const session = await connectPostgres(url)
  try {
    const tables = await withMigrationLock(session, LOCK_TIMEOUT, () => beginSnapshot(session))
    const expected = await expectedRows(session, tables)
    const manifest: BackupManifest = { ...facts, format: BACKUP_FORMAT, kind: 'postgres', tables }
    const told = (done: number): void => onProgress?.(done, Math.max(expected, done))
    await pipeline(
      () => contentOf(session, manifest, { files, contents }, told),
      createGzip({ level: GZIP_LEVEL }),
      createWriteStream(target),
    )
  } finally {
    await session.close()
  }
}

/** Begins the snapshot: from here on all reads see one moment, and no migration changes a table until they are done. */
async function beginSnapshot({ client, read }: PostgresSession): Promise<readonly BackupTable[]> {
  await client.query('begin isolation level repeatable read read only')
  const tables = await readTables(read)
  if (tables.length === 0) throw nothingThere()
  const names = tables.map(({ shape }) => sql.id(shape.name))
  await sql`lock table ${sql.join(names)} in access share mode`.execute(read)
  return tables
}

async function expectedRows(
  { read }: PostgresSession,
  tables: readonly BackupTable[],
): Promise<number> {
  const names = tables.map(({ shape }) => shape.name)
  const { rows } = await sql<{ rows: number }>`
    select coalesce(sum(greatest(reltuples, 0)), 0)::float8 as rows from pg_class
    where relnamespace = current_schema()::regnamespace and relname in (${sql.join(names)})`.execute(
    read,
  )
  return rows[0]?.rows ?? 0
}

async function* contentOf(
  { client, read }: PostgresSession,
  manifest: BackupManifest,
  { files, contents }: { files: readonly BackupFile[]; contents: ContentParts },
  told: (done: number) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const rows: Record<string, number> = {}
  let done = 0

  function said(bytes: Buffer): Buffer {
    hash.update(bytes)
    return bytes
  }

  yield said(lineOf(manifest))
  for (const { path, mode, content } of files)
    yield said(lineOf({ file: path, mode, content: content.toString('base64') }))
  for (const hash of await hashesIn(read, manifest))
    for await (const part of contents(hash))
      yield said(lineOf({ hash, content: part.toString('base64') }))
  for (const table of manifest.tables) {
    const columns = columnsOf(table)
    yield said(lineOf({ table: table.shape.name, columns }))
    const copy = client.query(copyStreams.to(copyText(table.shape.name, columns, 'to stdout')))
    for await (const chunk of copy) yield said(chunk as Buffer)
    yield said(END_OF_ROWS)
    rows[table.shape.name] = copy.rowCount
    done += copy.rowCount
    told(done)
  }
  yield lineOf({ end: true, rows, sha256: hash.digest('hex') })
}

/** Contents of uploaded files that the workspace knows of. */
async function hashesIn(
  read: PostgresSession['read'],
  { tables }: BackupManifest,
): Promise<readonly string[]> {
  if (!tables.some(({ shape }) => shape.name === CONTENTS)) return []
  const { rows } = await sql<{ hash: string }>`
    select hash from ${sql.table(CONTENTS)} order by hash`.execute(read)
  return rows.map(({ hash }) => hash)
}

/** The statement that streams the rows of a table in or out, as PostgreSQL's text. */
export function copyText(
  table: string,
  columns: readonly string[],
  direction: 'to stdout' | 'from stdin',
): string {
  return `copy ${quotedName(table)} (${columns.map(quotedName).join(', ')}) ${direction}`
}

function lineOf(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}
