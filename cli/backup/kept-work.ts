import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { isoDateTime, systemClock } from '../../engine/base/clock.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { KeptKind, Restored } from '../../server/backup/backup-routes.ts'
import type { Settings } from '../../server/settings/settings.ts'
import type { Standing } from '../serving/standing.ts'
import { folderOf, kindOf } from './kept-files.ts'
import { type KeptState, stateAfterEnd, writeState } from './kept-state.ts'
import { runOwn } from './run-own.ts'
import { restoreServed } from './served-restore.ts'

/** The command that makes a file of each kind. */
const COMMANDS: Readonly<Record<KeptKind, string>> = { backup: 'backup', everything: 'export' }

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

/** What is made and restored, one after the other, each in a process of its own. */
export interface KeptWork {
  /** What is under way, and what came of the last. */
  state(): KeptState
  /** Throws CONFLICT while anything is under way. */
  assertIdle(): void
  /** Begins to make the file of this name. */
  make(id: string): void
  /** Begins to restore a backup; one of what is there before gets the name `undo`. */
  restore(id: string, undo: string): void
}

/** The work on the backups of a workspace, with the state that the process before this has left. */
export function keptWork(options: ServedBackupsOptions): KeptWork {
  const { settings, logger, standing, settled, onLost } = options
  const folder = folderOf(settings)
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

  async function made(id: string): Promise<void> {
    const file = join(folder, id)
    const command = COMMANDS[kindOf(id) ?? 'backup']
    const { code, failed } = await runOwn(settings, [command, file, '--json'])
    if (code === 0) logger.info({ file }, `svc ${command}: it was made`)
    else logger.error({ code, said: failed }, `svc ${command}: it could not be made`)
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
    state: () => state,
    assertIdle() {
      if (state.restoring)
        throw new AppError('CONFLICT', 'a backup is being restored; wait for its end')
      if (state.making !== undefined)
        throw new AppError('CONFLICT', 'a backup is being made; wait for its end')
    },
    make(id) {
      change({ restored: state.restored, making: id })
      made(id).catch((error: unknown) => {
        logger.error({ err: error, id }, 'it could not be made')
        change({ restored: state.restored, problem: String(error) })
      })
    },
    restore(id, undo) {
      change({ restored: state.restored, restoring: { id, phase: 'checking' } })
      restored(id, undo).catch(onLost)
    },
  }
}
