import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { isoDateTime, systemClock } from '../../engine/base/clock.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { Backups, KeptBackup, Restored } from '../../server/backup/backup-routes.ts'
import type { Settings } from '../../server/settings/settings.ts'
import type { Standing } from '../serving/standing.ts'
import { bringingInto } from './brought-backup.ts'
import { type KeptState, stateAfterEnd, writeState } from './kept-state.ts'
import { lookInto } from './look-into.ts'
import { runOwn } from './run-own.ts'
import { restoreServed } from './served-restore.ts'

/** Folder in the data folder where the backups are that were made while it was served. */
const FOLDER = 'backups'

/** Names of their files; nothing else in the folder is shown, sent or removed. */
const NAME = /^workspace-\d{8}T\d{9}\.backup$/

export interface ServedBackupsOptions {
  readonly settings: Settings
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error' | 'fatal'>
  /** What serves the workspace, and so has to let go of it. */
  readonly standing: Pick<Standing, 'pause' | 'resume'>
  /** What became of a restore that the process before this has begun, in words. */
  readonly settled?: string | undefined
  /** Callback where nothing can be served any more. */
  readonly onLost: (error: unknown) => void
}

/** Backups of the workspace that this process serves, made, read and restored by `svc backup` and `svc restore` beside it. */
export function servedBackups(options: ServedBackupsOptions): Backups {
  const { settings, logger, standing, settled, onLost } = options
  const folder = folderOf(settings)
  const bringing = bringingInto(folder, settings, nameAt)
  let state = stateAfterEnd(folder, settled)

  function change(next: KeptState): void {
    state = next
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    try {
      writeState(folder, state)
    } catch (err) {
      logger.warn(
        { err },
        'the state of the backups could not be kept: the next process will not know it',
      )
    }
  }

  function assertIdle(): void {
    if (state.restoring)
      throw new AppError('CONFLICT', 'a backup is being restored; wait for its end')
    if (state.making !== undefined)
      throw new AppError('CONFLICT', 'a backup is being made; wait for its end')
  }

  async function made(id: string): Promise<void> {
    const file = join(folder, id)
    const { code, failed } = await runOwn(settings, ['backup', file, '--json'])
    if (code === 0) logger.info({ file }, 'a backup was made')
    else logger.error({ code, said: failed }, 'svc backup: it could not be made')
    change({ restored: state.restored, problem: code === 0 ? undefined : failed })
  }

  async function restored(id: string, undo: string): Promise<void> {
    const { restored } = state
    const now: Restored = { id, at: isoDateTime(systemClock), undo }
    const problem = await restoreServed({
      ...{ settings, standing, file: join(folder, id), undo: join(folder, undo) },
      onPhase: (phase, pid) =>
        change({ restoring: { id, phase, pid }, restored: phase === 'opening' ? now : restored }),
    })
    if (problem === undefined) logger.info({ id }, 'a backup was restored')
    else logger.error({ id, said: problem }, 'svc restore: it was not restored')
    change(
      problem === undefined
        ? { restored: now }
        : { restored, problem: `${id} was not restored: ${problem}` },
    )
  }

  return {
    state() {
      const { making, restored = null, problem = null } = state
      const restoring = state.restoring
        ? { id: state.restoring.id, phase: state.restoring.phase }
        : null
      return { data: listOf(folder), making: making !== undefined, restoring, restored, problem }
    },
    fileOf(id) {
      const file = join(folder, id)
      return NAME.test(id) && existsSync(file) ? file : undefined
    },
    make() {
      assertIdle()
      const id = newName()
      change({ restored: state.restored, making: id })
      made(id).catch((error: unknown) => {
        logger.error({ err: error }, 'svc backup: it could not be made')
        change({ restored: state.restored, problem: String(error) })
      })
    },
    restore(id) {
      assertIdle()
      change({ restored: state.restored, restoring: { id, phase: 'checking' } })
      restored(id, newName()).catch(onLost)
    },
    async check(id) {
      const file = join(folder, id)
      const { found, problem } = await lookInto(settings, file)
      if (!found) throw new AppError('CONFLICT', problem)
      return { ...found, command: commandFor(settings, file) }
    },
    async bring(stream) {
      if (state.restoring) assertIdle()
      const { id, found } = await bringing.take(stream)
      logger.info({ id }, 'a backup was brought')
      return { id, ...found, command: commandFor(settings, join(folder, id)) }
    },
    remove(id) {
      if (state.restoring) assertIdle()
      rmSync(join(folder, id))
    },
  }
}

/** Folder of the backups of a workspace. */
export function folderOf({ data }: Pick<Settings, 'data'>): string {
  return join(resolve(data), FOLDER)
}

/** Newest first. */
function listOf(folder: string): readonly KeptBackup[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((id) => NAME.test(id))
    .sort()
    .reverse()
    .map((id) => {
      const { size, mtimeMs } = statSync(join(folder, id))
      return { id, created: new Date(mtimeMs).toISOString(), bytes: size }
    })
}

function newName(): string {
  return nameAt(isoDateTime(systemClock))
}

/** Name of a backup that was made at a moment, ISO 8601; what says another moment than that is named by now. */
function nameAt(moment: string): string {
  const name = `workspace-${moment.replace(/[-:.Z]/g, '')}.backup`
  return NAME.test(name) ? name : newName()
}

/** Words of the command that restores a backup where no server runs. */
function commandFor({ data }: Settings, file: string): readonly string[] {
  return ['svc', 'restore', file, '--force', '--data', resolve(data)]
}
