import { closeSync, openSync, readSync } from 'node:fs'
import { AppError } from '../../base/errors.ts'
import type { TakeContent } from './contents.ts'
import type { CheckedBackup } from './manifest.ts'

const SQLITE_START = Buffer.from('SQLite format 3\0', 'latin1')
const GZIP_START = Buffer.from([0x1f, 0x8b])

/**
 * Reads a backup of either database from its first to its last byte; `program` is the one that asks. Throws
 * VALIDATION_ERROR when it is none, was changed or cut off since it was made, or is of a newer program.
 */
export async function checkBackup(file: string, program: string): Promise<CheckedBackup> {
  const start = firstBytes(file, SQLITE_START.length)
  if (start.equals(SQLITE_START)) {
    const { checkSqliteBackup } = await import('./sqlite-backup.ts')
    return checkSqliteBackup(file, program)
  }
  if (start.subarray(0, GZIP_START.length).equals(GZIP_START)) {
    const { readPostgresBackup } = await import('./postgres-read.ts')
    return readPostgresBackup(file, program)
  }
  throw new AppError(
    'VALIDATION_ERROR',
    `${file} is no backup: expected a file that \`svc backup\` wrote`,
  )
}

/** Hands the contents of uploaded files in a backup that was checked to `take`, in their order. */
export async function readContents(
  file: string,
  program: string,
  take: TakeContent,
): Promise<void> {
  if (firstBytes(file, SQLITE_START.length).equals(SQLITE_START)) {
    const { readSqliteContents } = await import('./sqlite-backup.ts')
    return readSqliteContents(file, take)
  }
  const { readPostgresBackup } = await import('./postgres-read.ts')
  await readPostgresBackup(file, program, undefined, take)
}

function firstBytes(file: string, length: number): Buffer {
  const handle = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(handle, bytes, 0, length, 0))
  } finally {
    closeSync(handle)
  }
}
