import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readContents } from '../../engine/storage/backup/check.ts'
import { writeContents } from '../../engine/storage/backup/contents.ts'
import type { CheckedBackup, OnProgress } from '../../engine/storage/backup/manifest.ts'
import type { DatabaseKind } from '../../engine/storage/database/database.ts'
import type { ContentStore } from '../../server/files/content-store.ts'
import { filesFolder } from '../../server/files/files.ts'
import { Failure } from '../failure.ts'
import {
  beginRestore,
  type Move,
  moveBack,
  moveForward,
  planMoves,
  readMarker,
  removeMarker,
} from './restore-marker.ts'
import { moveToStore } from './store-contents.ts'
import { OWN_DOCTYPES, placeFiles } from './workspace-files.ts'

/** Folder in the data folder where the new workspace is made before it gets its place. */
const STAGE = 'restoring'

/** A restore that may begin. */
export interface Placing {
  readonly dataFolder: string
  readonly file: string
  readonly checked: CheckedBackup
  /** The program that restores, as it names itself. */
  readonly program: string
  /** Names the restore in the database it makes. */
  readonly token: string
  /** `before-restore-20261121T170000123`: the old workspace is kept under this name. */
  readonly aside: string
  /** Where the workspace has its uploaded files, where that is not the data folder. */
  readonly store?: ContentStore | undefined
  readonly onProgress?: OnProgress | undefined
}

/**
 * Makes the workspace of a backup in a folder beside, then exchanges it with the one that is there, which is
 * kept. Returns where. Whenever this is cut off, the old or the new one is there whole, or the marker that says
 * what to do. Throws Failure when another process has the database open.
 */
export async function placeOnSqlite(placing: Placing, database: string): Promise<string[]> {
  const { makeSqliteDatabase, holdSqlite } = await import(
    '../../engine/storage/backup/sqlite-restore.ts'
  )
  const { dataFolder, aside } = placing
  const moves = sqliteMoves(basename(database), aside)
  begin(placing, 'sqlite')
  try {
    await prepareStage(placing)
    makeSqliteDatabase(placing.file, join(dataFolder, STAGE, basename(database)))
    planMoves(dataFolder, moves)
    // The marker is there first: who comes now does not open the database, who came before has it open.
    const hold = existsSync(database) ? holdSqlite(database) : 'unreadable'
    if (hold === 'in use')
      throw new Failure(`another process has ${database} open: stop the server first`)
    try {
      exchange(dataFolder, moves)
    } finally {
      if (hold !== 'unreadable') hold.release()
    }
  } catch (error) {
    undo(dataFolder)
    throw error
  }
  clear(dataFolder)
  return kept(dataFolder, moves)
}

/**
 * Same exchange on PostgreSQL: tables that are there (`replaces`) are kept in a schema of their own; it is one
 * transaction, before whose commit the files get their place.
 */
export async function placeOnPostgres(
  placing: Placing,
  url: string,
  replaces: boolean,
): Promise<string[]> {
  const { postgresState, restorePostgres } = await import(
    '../../engine/storage/backup/postgres-restore.ts'
  )
  const { dataFolder, file, checked, program, token, aside, onProgress } = placing
  const schema = schemaOf(aside)
  const moves = folderMoves(aside)
  let isExchanged = false
  begin(placing, 'postgres')
  try {
    await prepareStage(placing)
    planMoves(dataFolder, moves)
    await restorePostgres({
      url,
      file,
      checked,
      program,
      token,
      aside: replaces ? schema : undefined,
      beforeCommit: () => {
        if (!isExchanged) exchange(dataFolder, moves)
        isExchanged = true
      },
      ...(onProgress ? { onProgress } : {}),
    })
  } catch (error) {
    // A commit whose answer was lost may have happened. Where nobody can say, the marker stays.
    const { restored } = await postgresState(url)
    if (restored !== token) {
      undo(dataFolder)
      throw error
    }
  }
  clear(dataFolder)
  return [...(replaces ? [`schema ${schema} of the database`] : []), ...kept(dataFolder, moves)]
}

function begin({ dataFolder, token }: Placing, kind: DatabaseKind): void {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  beginRestore(dataFolder, { token, kind })
}

async function prepareStage({ dataFolder, checked, file, program, store }: Placing): Promise<void> {
  const stage = join(dataFolder, STAGE)
  removeStage(dataFolder)
  mkdirSync(stage, { mode: 0o700 })
  placeFiles(checked.files, stage)
  if (checked.contents === 0) return
  await readContents(file, program, writeContents(filesFolder(stage)))
  // They are there before the database that knows of them; nobody else's go.
  if (store) await moveToStore(filesFolder(stage), store)
}

function exchange(dataFolder: string, moves: readonly Move[]): void {
  const own = join(dataFolder, OWN_DOCTYPES)
  // An empty folder is nothing to keep.
  if (existsSync(own) && readdirSync(own).length === 0) rmSync(own, { recursive: true })
  moveForward(dataFolder, moves)
}

/** Moves of the folders of a data folder. */
export function folderMoves(aside: string): Move[] {
  return [
    { from: OWN_DOCTYPES, to: `${OWN_DOCTYPES}.${aside}` },
    { from: join(STAGE, OWN_DOCTYPES), to: OWN_DOCTYPES },
    { from: filesFolder(''), to: `${filesFolder('')}.${aside}` },
    { from: filesFolder(STAGE), to: filesFolder('') },
  ]
}

/** The database comes last: a new one that has its place is a restore that is done. */
export function sqliteMoves(name: string, aside: string): Move[] {
  const kept = `${name}.${aside}`
  return [
    ...folderMoves(aside),
    { from: `${name}-wal`, to: `${kept}-wal` },
    { from: `${name}-shm`, to: `${kept}-shm` },
    { from: name, to: kept },
    { from: join(STAGE, name), to: name },
  ]
}

/** Schema of the database that has the tables of the old workspace. */
export function schemaOf(aside: string): string {
  return `svc_${aside.replaceAll('-', '_').toLowerCase()}`
}

/** Paths where the parts of the old workspace are now. */
export function kept(dataFolder: string, moves: readonly Move[]): string[] {
  return moves
    .filter(({ from }) => !isStaged(from))
    .map(({ to }) => join(dataFolder, to))
    .filter((path) => existsSync(path))
}

/** Whether a move is one of the new workspace. */
export function isStaged(path: string): boolean {
  return path.startsWith(join(STAGE, '/'))
}

/**
 * Takes back what a restore has moved, as far as it has planned to move anything, and ends it. Before that
 * the new workspace is not whole: what is missing of it has not been moved, it was not made.
 */
export function undo(dataFolder: string): void {
  moveBack(dataFolder, readMarker(dataFolder)?.moves ?? [])
  clear(dataFolder)
}

/** Ends a restore: nothing of it is under way any more. */
export function clear(dataFolder: string): void {
  removeMarker(dataFolder)
  removeStage(dataFolder)
}

function removeStage(dataFolder: string): void {
  rmSync(join(dataFolder, STAGE), { recursive: true, force: true })
}
