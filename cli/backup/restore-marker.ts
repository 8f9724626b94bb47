import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { flushToDisk } from '../../engine/base/flush.ts'
import { isGone, newLeaseName } from '../../engine/base/lease-name.ts'
import type { DatabaseKind } from '../../engine/storage/database/database.ts'
import { Failure } from '../failure.ts'

/** File in the data folder that says a restore is under way. While it is there nothing opens the workspace. */
const MARKER = 'restore.json'

/** A file or folder that gets another place; paths relative to the data folder. */
export interface Move {
  readonly from: string
  readonly to: string
}

/** Moves of a restore among the files of a data folder, written down before it begins. */
export interface RestoreMarker {
  /** The process that does it. */
  readonly holder: string
  /** Names the restore; PostgreSQL has it among its settings once the restore is committed. */
  readonly token: string
  readonly kind: DatabaseKind
  /** Moves to make; none until all that is to be moved in is made. */
  readonly moves: readonly Move[]
}

/** Throws Failure where a restore was cut off, or is under way. Whatever opens a workspace asks this first. */
export function assertNoRestore(dataFolder: string): void {
  if (!existsSync(join(dataFolder, MARKER))) return
  throw new Failure(
    `a restore into ${dataFolder} is under way or was cut off: run \`svc restore\` there once more, it puts the folder in order first`,
  )
}

/** The marker of a restore that is not finished. */
export function readMarker(dataFolder: string): RestoreMarker | undefined {
  const file = join(dataFolder, MARKER)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RestoreMarker) : undefined
}

/** Whether the process of a marker still works on it. */
export function isUnderWay({ holder }: RestoreMarker): boolean {
  return !isGone(holder)
}

/**
 * Says that a restore begins; it has not moved anything yet. Throws Failure when there is another one that is
 * not finished.
 */
export function beginRestore(
  dataFolder: string,
  { token, kind }: Pick<RestoreMarker, 'token' | 'kind'>,
): void {
  const marker: RestoreMarker = { holder: newLeaseName(), token, kind, moves: [] }
  const temporary = writeBeside(dataFolder, marker)
  try {
    linkSync(temporary, join(dataFolder, MARKER))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') assertNoRestore(dataFolder)
    throw error
  } finally {
    rmSync(temporary, { force: true })
  }
  flushToDisk(dataFolder)
}

/** Writes down what will be moved, before anything is. */
export function planMoves(dataFolder: string, moves: readonly Move[]): void {
  const marker = readMarker(dataFolder)
  if (!marker) throw new Error('moves are planned by a restore that has begun')
  renameSync(writeBeside(dataFolder, { ...marker, moves }), join(dataFolder, MARKER))
  flushToDisk(dataFolder)
}

function writeBeside(dataFolder: string, marker: RestoreMarker): string {
  const file = join(dataFolder, `${MARKER}.${process.pid}.partial`)
  try {
    writeFileSync(file, JSON.stringify(marker), { mode: 0o600 })
    flushToDisk(file)
  } catch (error) {
    rmSync(file, { force: true })
    throw error
  }
  return file
}

export function removeMarker(dataFolder: string): void {
  rmSync(join(dataFolder, MARKER), { force: true })
  flushToDisk(dataFolder)
}

/** Moves everything that is there to its new place. Throws Failure, half-way, where that place is taken. */
export function moveForward(dataFolder: string, moves: readonly Move[]): void {
  for (const { from, to } of moves) {
    if (!existsSync(join(dataFolder, from))) continue
    if (existsSync(join(dataFolder, to)))
      throw new Failure(`${join(dataFolder, to)} is there already: move it away first`)
    move(join(dataFolder, from), join(dataFolder, to))
  }
}

/** Undoes as much as was done, last things first. What was on its way in goes back to where it was made. */
export function moveBack(dataFolder: string, moves: readonly Move[]): void {
  for (const { from, to } of moves.toReversed())
    if (existsSync(join(dataFolder, to)) && !existsSync(join(dataFolder, from)))
      move(join(dataFolder, to), join(dataFolder, from))
}

function move(from: string, to: string): void {
  renameSync(from, to)
  flushToDisk(dirname(to))
}
