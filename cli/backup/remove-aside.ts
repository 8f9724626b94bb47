import { rmSync } from 'node:fs'
import { basename } from 'node:path'
import type { Workspace } from '../workspace.ts'
import { folderMoves, kept, schemaOf, sqliteMoves } from './place-backup.ts'

/** Removes the workspace that a restore has set aside under this name. */
export async function removeAside(
  { database, dataFolder }: Pick<Workspace, 'database' | 'dataFolder'>,
  aside: string,
): Promise<void> {
  const isSqlite = database.kind === 'sqlite'
  const moves = isSqlite ? sqliteMoves(basename(database.file), aside) : folderMoves(aside)
  for (const path of kept(dataFolder, moves)) rmSync(path, { recursive: true, force: true })
  if (isSqlite) return
  const { removeTablesAside } = await import('../../engine/storage/backup/postgres-restore.ts')
  await removeTablesAside(database.url, schemaOf(aside))
}
