import { chmodSync, constants, copyFileSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import { flushToDisk } from '../../base/flush.ts'
import { CHECKSUM_ROW } from '../migration/schema-store.ts'
import { quotedName } from './quoted-name.ts'
import { assertSound, BACKUP_TABLES, openFile } from './sqlite-backup.ts'

/**
 * Makes the database of a workspace from a backup that was checked, in a file that is not there yet; it is on
 * the disk when this returns. The next start looks at all its tables, as after a change of the definitions, and
 * makes the triggers of the workspace anew: who has made or changed a backup brings in rows, not what runs later.
 */
export function makeSqliteDatabase(backup: string, target: string): void {
  copyFileSync(backup, target, constants.COPYFILE_EXCL)
  chmodSync(target, 0o600)
  const database = openFile(target)
  try {
    database.transaction(() => {
      for (const table of BACKUP_TABLES) database.exec(`drop table ${table}`)
      for (const { type, name } of programs(database))
        database.exec(`drop ${type} ${quotedName(name)}`)
      database.prepare('delete from svc_schema where name = ?').run(CHECKSUM_ROW)
    })()
    // What uploaded files took is no part of the database.
    database.exec('vacuum')
    assertSound(database)
  } finally {
    database.close()
  }
  flushToDisk(target)
}

/** Triggers and views, which a database runs when it is written or read. PostgreSQL gets none by a restore either. */
function programs(database: BetterSqlite3.Database): { type: string; name: string }[] {
  const statement = "select type, name from sqlite_schema where type in ('trigger', 'view')"
  return database.prepare(statement).all() as { type: string; name: string }[]
}

/** Lock that keeps a database from everybody else until it is released. */
export interface SqliteHold {
  release(): void
}

/**
 * Takes a database for itself alone and brings what its log holds into the one file. `in use`: another process
 * has it open; `unreadable`: it is no database any more, so nobody can use it and nothing can be told.
 */
export function holdSqlite(file: string): SqliteHold | 'in use' | 'unreadable' {
  let database: BetterSqlite3.Database | undefined
  try {
    database = openFile(file, { timeout: 1000 })
    database.pragma('locking_mode = exclusive')
    database.exec('begin exclusive; commit')
    // Only who is alone can leave the write-ahead log; the lock stays until the connection is closed.
    database.pragma('journal_mode = delete')
    database.exec('begin exclusive; commit')
    const held = database
    return { release: () => void held.close() }
  } catch (error) {
    database?.close()
    if (!(error instanceof BetterSqlite3.SqliteError)) throw error
    if (/^SQLITE_(BUSY|LOCKED)/.test(error.code)) return 'in use'
    if (/^SQLITE_(NOTADB|CORRUPT)/.test(error.code)) return 'unreadable'
    throw error
  }
}
