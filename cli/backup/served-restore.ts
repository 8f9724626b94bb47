import { rmSync } from 'node:fs'
import type { RestorePhase } from '../../server/backup/backup-routes.ts'
import type { Settings } from '../../server/settings/settings.ts'
import { Failure } from '../failure.ts'
import type { Standing } from '../serving/standing.ts'
import { lookInto } from './look-into.ts'
import { runOwn } from './run-own.ts'

/** Time that sessions of PostgreSQL have to end after they were closed here, in ms, and between two looks. */
const SESSIONS_END = 5_000
const LOOK_AGAIN = 250

/** A restore of the workspace that this process serves. */
export interface ServedRestore {
  readonly settings: Settings
  readonly standing: Pick<Standing, 'pause' | 'resume'>
  /** The backup. */
  readonly file: string
  /** File for a backup of what is there before. */
  readonly undo: string
  /** Callback before each part, whose state is to outlive this process. */
  readonly onPhase: (phase: RestorePhase, pid?: number) => void
}

/**
 * Restores a backup in the place of the workspace that is served: the backup is checked, then nobody is served, a backup is made
 * of what is there, and `svc restore` runs in a process of its own. Afterwards it is served again, whatever came of it. Returns
 * why it was not restored; what was there before is served then. Throws where nothing can be served any more.
 */
export async function restoreServed({
  settings,
  standing,
  file,
  undo,
  onPhase,
}: ServedRestore): Promise<string | undefined> {
  let phase: RestorePhase = 'checking'
  const begin = (next: RestorePhase): void => {
    phase = next
    onPhase(next)
  }
  const run = async (...words: readonly string[]): Promise<void> => {
    const { code, failed } = await runOwn(settings, words, (pid) => onPhase(phase, pid))
    if (code !== 0) throw new Failure(failed || `svc ${words[0]} ended with ${code}`)
  }

  begin('checking')
  const { problem } = await lookInto(settings, file)
  if (problem !== undefined) return problem
  begin('stopping')
  await standing.pause({
    message: 'a backup is being restored: the workspace answers again in a moment',
    retryAfter: 5,
    health: () => ({ status: 'restoring', phase }),
  })
  let isRestored = false
  try {
    await assertAlone(settings)
    begin('backing up')
    await run('backup', undo)
    begin('restoring')
    await run('restore', file, '--force', '--remove-old')
    isRestored = true
    begin('opening')
    await standing.resume()
    return undefined
  } catch (error) {
    if (isRestored) await run('restore', undo, '--force', '--remove-old')
    else rmSync(undo, { force: true })
    await standing.resume()
    const reason = error instanceof Error ? error.message : String(error)
    return isRestored ? `what is in it cannot be opened here: ${reason}` : reason
  }
}

/** Throws Failure where others are connected to the database: they would serve what is being taken from under them. */
async function assertAlone({ databaseUrl }: Settings): Promise<void> {
  if (databaseUrl === undefined) return
  const { inUse, postgresState } = await import('../../engine/storage/backup/postgres-restore.ts')
  const end = performance.now() + SESSIONS_END
  for (;;) {
    const { sessions } = await postgresState(databaseUrl)
    if (sessions.length === 0) return
    if (performance.now() > end) throw inUse(sessions)
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN))
  }
}
