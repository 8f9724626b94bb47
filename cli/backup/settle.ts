import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import type { Workspace } from '../workspace.ts'
import { clear, isStaged, undo } from './place-backup.ts'
import { isUnderWay, type RestoreMarker, readMarker } from './restore-marker.ts'

/**
 * Puts a data folder in order in which a restore was cut off: finished where the new workspace has got its
 * place, else undone. Returns what was done, in words; undefined where there was nothing to do. Throws Failure
 * while that restore is still under way.
 */
export async function settle({ dataFolder, database }: Workspace): Promise<string | undefined> {
  const marker = readMarker(dataFolder)
  if (!marker) return undefined
  if (isUnderWay(marker))
    throw new Failure(`another process is restoring into ${dataFolder}: wait for its end`)
  if (marker.kind !== database.kind)
    throw new Failure(
      `a restore into ${dataFolder} on ${marker.kind} was cut off: give the same --database as then, so that it can be put in order`,
    )
  const isDone =
    marker.moves.length > 0 &&
    (database.kind === 'sqlite'
      ? hasArrived(dataFolder, marker)
      : (await restoredBy(database.url)) === marker.token)
  if (isDone) clear(dataFolder)
  else undo(dataFolder)
  return isDone
    ? 'the restore that was cut off here had put everything in its place: it counts as done'
    : 'the restore that was cut off here was undone: what was here before is back'
}

function hasArrived(dataFolder: string, { moves }: RestoreMarker): boolean {
  return moves
    .filter(({ from }) => isStaged(from))
    .every(({ from }) => !existsSync(join(dataFolder, from)))
}

async function restoredBy(url: string): Promise<string | undefined> {
  const { postgresState } = await import('../../engine/storage/backup/postgres-restore.ts')
  return (await postgresState(url)).restored
}
