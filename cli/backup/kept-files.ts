import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isoDateTime, systemClock } from '../../engine/base/clock.ts'
import type { KeptBackup, KeptKind } from '../../server/backup/backup-routes.ts'
import type { Settings } from '../../server/settings/settings.ts'

/** Folder in the data folder where the backups are that were made while it was served. */
const FOLDER = 'backups'

/** Names of their files; nothing else in the folder is shown, sent or removed. */
const NAMES: Readonly<Record<KeptKind, RegExp>> = {
  backup: /^workspace-\d{8}T\d{9}\.backup$/,
  everything: /^everything-\d{8}T\d{9}\.zip$/,
}

/** Folder of the backups of a workspace. */
export function folderOf({ data }: Pick<Settings, 'data'>): string {
  return join(resolve(data), FOLDER)
}

/** The files of a folder that are whole, newest first. */
export function listOf(folder: string): readonly KeptBackup[] {
  if (!existsSync(folder)) return []
  const kept = readdirSync(folder).flatMap((id): KeptBackup[] => {
    const kind = kindOf(id)
    if (!kind) return []
    const { size, mtimeMs } = statSync(join(folder, id))
    return [{ id, kind, created: new Date(mtimeMs).toISOString(), bytes: size }]
  })
  return kept.toSorted((a, b) => (momentIn(a.id) < momentIn(b.id) ? 1 : -1))
}

/** What a file of this name is; undefined for none of ours. */
export function kindOf(id: string): KeptKind | undefined {
  return (['backup', 'everything'] as const).find((kind) => NAMES[kind].test(id))
}

/** The part of a name that says when it was made. */
function momentIn(id: string): string {
  return id.slice(id.indexOf('-') + 1)
}

/** Name of what is made now. */
export function newName(kind: KeptKind): string {
  const moment = isoDateTime(systemClock).replace(/[-:.Z]/g, '')
  return kind === 'backup' ? `workspace-${moment}.backup` : `everything-${moment}.zip`
}

/** Name of a backup that was made at a moment, ISO 8601; what says another moment than that is named by now. */
export function nameAt(moment: string): string {
  const name = `workspace-${moment.replace(/[-:.Z]/g, '')}.backup`
  return NAMES.backup.test(name) ? name : newName('backup')
}
