import { AppError } from '../../base/errors.ts'
import { isObject } from '../../base/json-text.ts'
import type { DatabaseKind } from '../database/database.ts'
import type { BackupTable } from './postgres-tables.ts'

/** Version of the format; another one when an older program could not read a backup of now (docs/decisions/0029). */
export const BACKUP_FORMAT = 1

/** A file that is kept with the database, such as a DocType of the workspace. */
export interface BackupFile {
  /** Relative to the data folder, with `/`. */
  readonly path: string
  /** The permission bits. */
  readonly mode: number
  readonly content: Buffer
}

/** Facts about a backup, given by whoever takes it. */
export interface BackupFacts {
  /** Program that takes it: `svc 0.1.0 (3f2a91c)`. */
  readonly program: string
  /** ISO 8601, UTC. */
  readonly created: string
  /** A text sealed with the secret key, by which the same key is known again; null where there is no key. */
  readonly keyCheck: string | null
}

/** Facts a backup holds about itself before its data. */
export interface BackupManifest extends BackupFacts {
  readonly format: number
  readonly kind: DatabaseKind
  /** Tables of PostgreSQL as they are made again. A SQLite file holds that itself. */
  readonly tables: readonly BackupTable[]
}

/** Rows by table. */
export type RowCounts = Readonly<Record<string, number>>

/** A backup that was read from its first to its last byte. */
export interface CheckedBackup {
  readonly manifest: BackupManifest
  readonly files: readonly BackupFile[]
  /** Number of the contents of uploaded files in it. */
  readonly contents: number
  readonly rows: RowCounts
  /** SHA-256 of its whole content, in hex: two backups with the same are the same. */
  readonly sha256: string
}

/** Callback with the progress of a backup or a restore: `done` of about `total` pages or rows. */
export type OnProgress = (done: number, total: number) => void

/**
 * The manifest of a backup from its JSON. Throws VALIDATION_ERROR when it is none, or when a newer program
 * than `program` made it: that may hold what this one would lose.
 */
export function readManifest(value: unknown, program: string): BackupManifest {
  if (!isObject(value) || typeof value.format !== 'number')
    throw damaged('its manifest cannot be read')
  if (value.format > BACKUP_FORMAT || isNewer(String(value.program), program)) {
    const maker = typeof value.program === 'string' ? value.program : 'a newer program'
    throw new AppError(
      'VALIDATION_ERROR',
      `the backup was made by ${maker}, this is ${program}: restore it with that version or a newer one`,
    )
  }
  const { kind, program: maker, created, keyCheck, tables } = value
  const isWhole =
    (kind === 'sqlite' || kind === 'postgres') &&
    typeof maker === 'string' &&
    typeof created === 'string' &&
    (keyCheck === null || typeof keyCheck === 'string') &&
    Array.isArray(tables) &&
    tables.every(isTable)
  if (!isWhole) throw damaged('its manifest cannot be read')
  return value as unknown as BackupManifest
}

/** Error for a file that cannot be trusted as a backup, with the reason. */
export function damaged(why: string, cause?: unknown): AppError {
  return new AppError(
    'VALIDATION_ERROR',
    `the backup is damaged: ${why}; take another copy of it`,
    cause === undefined ? {} : { cause },
  )
}

/** Error for a database that holds no workspace. */
export function nothingThere(): AppError {
  return new AppError('NOT_FOUND', 'there is no workspace in this database: nothing to back up')
}

/** Rows of all tables together. */
export function totalRows(rows: RowCounts): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0)
}

/** Throws VALIDATION_ERROR at the first table whose rows are not those that were counted when it was read. */
export function assertSameRows(expected: RowCounts, found: RowCounts): void {
  for (const table of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const [wanted = 0, got = 0] = [expected[table], found[table]]
    if (wanted !== got) throw damaged(`expected ${wanted} rows of ${table}, got ${got}`)
  }
}

function isNewer(maker: string, program: string): boolean {
  const [theirs, ours] = [maker, program].map((line) =>
    (/(\d+)\.(\d+)\.(\d+)/.exec(line) ?? []).slice(1).map(Number),
  ) as [number[], number[]]
  for (const [at, number] of theirs.entries()) {
    const own = ours[at] ?? 0
    if (number !== own) return number > own
  }
  return false
}

function isTable(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.shape)) return false
  const { name, columns, indexes } = value.shape
  return (
    typeof name === 'string' &&
    [columns, indexes].every((list) => Array.isArray(list) && list.every(isObject)) &&
    isObject(value.nullsFirst)
  )
}
