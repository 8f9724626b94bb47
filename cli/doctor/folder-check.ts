import { existsSync, type Stats, statfsSync, statSync } from 'node:fs'
import { readMarker } from '../backup/restore-marker.ts'
import { firstRunFile, secretKeyFile } from '../data-folder.ts'
import { isWritable } from '../read-only-copy.ts'
import type { Workspace } from '../workspace.ts'
import { type Check, inBytes, verdict } from './check.ts'

/** Permissions of group and others: what lies here is for the one who runs the server. */
const OTHERS = 0o077

/** Free bytes below which soon nothing more is written. */
const FULL = 16 * 1024 * 1024
/** Free bytes below which, or below the size of the database, a backup or a change of its tables may find no room. */
const TIGHT = 256 * 1024 * 1024

/** The data folder: whose it is, who may read what is secret in it, and what room there is. */
export function folderCheck({ dataFolder, database }: Workspace): Check {
  const name = 'data_folder'
  const stats = statSync(dataFolder, { throwIfNoEntry: false })
  if (!stats) {
    const isNeeded = database.kind === 'sqlite'
    const message = `there is no folder ${dataFolder}; the next start makes it`
    return { name, state: isNeeded ? 'failed' : 'ok', message, facts: { exists: false } }
  }
  const bytes =
    database.kind === 'sqlite' ? sizeOf(database.file) + sizeOf(`${database.file}-wal`) : 0
  const { bavail, bsize } = statfsSync(dataFolder)
  const free = bavail * bsize
  const failures = isWritable(dataFolder)
    ? []
    : ['it cannot be written to: it can be read and exported, nothing can be changed']
  const remarks = [...ownerRemarks(dataFolder, stats), ...modeRemarks(dataFolder, database)]
  if (readMarker(dataFolder))
    failures.push('a restore into it was cut off or is under way: run `svc restore` once more')
  if (free < FULL) failures.push(`its disk is full: ${inBytes(free)} free`)
  else if (free < Math.max(TIGHT, bytes))
    remarks.push(
      `its disk is nearly full: ${inBytes(free)} free, the database takes ${inBytes(bytes)}`,
    )
  const facts = { exists: true, free_bytes: free, database_bytes: bytes, mode: octal(stats) }
  return verdict(name, { failures, remarks }, `${dataFolder}, ${inBytes(free)} free`, facts)
}

function ownerRemarks(dataFolder: string, { uid }: Stats): string[] {
  const own = process.getuid?.()
  if (own === undefined || own === uid) return []
  return [`${dataFolder} belongs to user ${uid}, this is user ${own}: run svc as its owner`]
}

function modeRemarks(dataFolder: string, database: Workspace['database']): string[] {
  const secret = [secretKeyFile(dataFolder), firstRunFile(dataFolder)]
  if (database.kind === 'sqlite') secret.push(database.file)
  // In a folder that is closed to them, others reach none of its files.
  if ((statSync(dataFolder).mode & OTHERS) === 0) return []
  return secret
    .filter((file) => existsSync(file) && (statSync(file).mode & OTHERS) !== 0)
    .map((file) => `others may read ${file} (mode ${octal(statSync(file))}): chmod 600 it`)
}

function octal({ mode }: Stats): string {
  return (mode & 0o777).toString(8).padStart(4, '0')
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
