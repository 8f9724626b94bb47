import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AppError } from '../../engine/base/errors.ts'
import type { Backups } from '../../server/backup/backup-routes.ts'
import type { Settings } from '../../server/settings/settings.ts'
import { bringingInto } from './brought-backup.ts'
import { folderOf, kindOf, listOf, nameAt, newName } from './kept-files.ts'
import { keptWork, type ServedBackupsOptions } from './kept-work.ts'
import { lookInto } from './look-into.ts'

/** Backups of the workspace that this process serves, made, read and restored by `svc backup` and `svc restore` beside it. */
export function servedBackups(options: ServedBackupsOptions): Backups {
  const { settings, logger } = options
  const folder = folderOf(settings)
  const bringing = bringingInto(folder, settings, nameAt)
  const work = keptWork(options)
  return {
    state() {
      const { making, restoring: under, restored = null, problem = null } = work.state()
      const restoring = under ? { id: under.id, phase: under.phase } : null
      const kind = making === undefined ? null : (kindOf(making) ?? null)
      return { data: listOf(folder), making: kind, restoring, restored, problem }
    },
    fileOf(id) {
      const file = join(folder, id)
      return kindOf(id) && existsSync(file) ? file : undefined
    },
    make(kind) {
      work.assertIdle()
      work.make(newName(kind))
    },
    restore(id) {
      work.assertIdle()
      assertBackup(id)
      work.restore(id, newName('backup'))
    },
    async check(id) {
      assertBackup(id)
      const file = join(folder, id)
      const { found, problem } = await lookInto(settings, file)
      if (!found) throw new AppError('CONFLICT', problem)
      return { ...found, command: commandFor(settings, file) }
    },
    async bring(stream) {
      if (work.state().restoring) work.assertIdle()
      const { id, found } = await bringing.take(stream)
      logger.info({ id }, 'a backup was brought')
      return { id, ...found, command: commandFor(settings, join(folder, id)) }
    },
    remove(id) {
      if (work.state().restoring) work.assertIdle()
      rmSync(join(folder, id))
    },
  }
}

/** Throws CONFLICT for what holds the data, and is no backup of the workspace. */
function assertBackup(id: string): void {
  if (kindOf(id) === 'everything')
    throw new AppError(
      'CONFLICT',
      `${id} is everything as plain data, for other programs: it is no backup, and cannot be restored`,
    )
}

/** Words of the command that restores a backup where no server runs. */
function commandFor({ data }: Settings, file: string): readonly string[] {
  return ['svc', 'restore', file, '--force', '--data', resolve(data)]
}
