import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { flushToDisk } from '../../engine/base/flush.ts'
import type { Restored, RestorePhase } from '../../server/backup/backup-routes.ts'

/** File in the folder of the backups with what is under way there, so that the next process knows of it. */
const STATE = 'state.json'

/** A restore that is under way. */
export interface Restoring {
  readonly id: string
  readonly phase: RestorePhase
  /** Number of the process that restores. */
  readonly pid?: number | undefined
}

/** What is made, restored, and has become of it. */
export interface KeptState {
  /** Name of the file that is being made. */
  readonly making?: string | undefined
  readonly restoring?: Restoring | undefined
  readonly restored?: Restored | undefined
  /** Why the last thing that was tried could not be done. */
  readonly problem?: string | undefined
}

/** The state as it was kept last; that of a file that nobody can read is none. */
export function readState(folder: string): KeptState {
  const file = join(folder, STATE)
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as KeptState
  } catch {
    return {}
  }
}

/** Keeps the state. Throws the system's error on a disk that takes nothing. */
export function writeState(folder: string, state: KeptState): void {
  const file = join(folder, STATE)
  writeFileSync(`${file}.partial`, JSON.stringify(state), { mode: 0o600 })
  flushToDisk(`${file}.partial`)
  renameSync(`${file}.partial`, file)
}

/** What the state of a process that has ended means for the next one: nothing is under way, and what was is told. */
export function stateAfterEnd(folder: string, settled: string | undefined): KeptState {
  const { making, restoring, restored, problem } = readState(folder)
  if (restoring && restoring.phase !== 'opening')
    return {
      restored,
      problem: `the server stopped while ${restoring.id} was being restored: ${settled ?? ENDINGS[restoring.phase]}`,
    }
  if (making !== undefined && !existsSync(join(folder, making)))
    return { restored, problem: 'the server stopped while a backup was being made: make it again' }
  return { restored, problem }
}

const ENDINGS: Readonly<Record<Exclude<RestorePhase, 'opening'>, string>> = {
  checking: 'nothing was changed',
  stopping: 'nothing was changed',
  'backing up': 'nothing was changed',
  restoring: 'look whether what is here now is what was here before or what is in the backup',
}
