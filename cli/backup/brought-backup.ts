import { existsSync, mkdirSync, renameSync, statfsSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError, validationError } from '../../engine/base/errors.ts'
import { flushToDisk } from '../../engine/base/flush.ts'
import { type Receiving, receivingInto } from '../../server/files/receive.ts'
import type { Settings } from '../../server/settings/settings.ts'
import { type FoundBackup, lookInto } from './look-into.ts'

/** Folder in that of the backups where one arrives; what a killed process has left there goes with the next. */
const ARRIVING = 'arriving'

/** Bytes that stay free on the disk: the workspace beside it has to go on. */
const STAYS_FREE = 1_000_000_000

/** A backup that was brought from elsewhere, under the name it has here. */
export interface BroughtBackup {
  readonly id: string
  readonly found: FoundBackup
}

/** Takes backups that are brought from elsewhere. */
export interface Bringing {
  /**
   * Takes one from a stream, reads it whole, and keeps it. Throws PAYLOAD_TOO_LARGE where the disk has no room for it, VALIDATION_ERROR
   * with what is wrong with it, CONFLICT for one that is there, and what the stream throws; nothing is left then.
   */
  take(stream: Readable): Promise<BroughtBackup>
}

/** Takes backups into this folder; `nameOf` gives the name of one by the moment it was made at. */
export function bringingInto(
  folder: string,
  settings: Settings,
  nameOf: (moment: string) => string,
): Bringing {
  const receiving: Receiving = receivingInto(join(folder, ARRIVING))
  return {
    async take(stream) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const received = await receiving.take(stream, roomIn(folder), tooLarge)
      try {
        const { found, problem } = await lookInto(settings, received.path)
        if (!found) throw validationError([{ field: 'file', message: problem, code: 'rule' }])
        const id = nameOf(found.created)
        const file = join(folder, id)
        if (existsSync(file)) throw new AppError('CONFLICT', `${id} is here already`)
        const made = new Date(found.created)
        utimesSync(received.path, made, made)
        renameSync(received.path, file)
        flushToDisk(folder)
        return { id, found }
      } finally {
        received.drop()
      }
    },
  }
}

/** Bytes that may be brought. */
function roomIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return Math.max(0, bavail * bsize - STAYS_FREE)
}

function tooLarge(most: number): AppError {
  return new AppError(
    'PAYLOAD_TOO_LARGE',
    `expected a backup of at most ${Math.floor(most / 1_000_000)} MB: the disk of the workspace has no room for more`,
  )
}
