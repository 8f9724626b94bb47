import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { isRefusal } from '../../engine/base/errors.ts'
import { removeDocument } from '../../engine/documents/operations/remove.ts'
import type { Engine } from '../../engine/index.ts'
import type { Files } from '../files/files.ts'
import { dropContent, idleContents, looseRecords } from '../files/store.ts'
import type { DailyJob } from './daily-jobs.ts'

const DAY = 24 * 60 * 60 * 1000

/** Days after which a file goes that belongs to no record and lies in no folder (contract §7.5). */
const LOOSE_KEPT = 7

/** Files and contents that are looked at together. */
const BATCH = 100

/**
 * Removes every night the files that belong to nothing, and contents that no file has: those of deleted files, and of
 * uploads that came to nothing.
 */
export function filesJob(engine: Engine, files: Files): DailyJob {
  return {
    name: 'files',
    async run(_day, signal) {
      const records = await removeLoose(engine, signal)
      return { records, contents: await removeIdle(engine, files, signal) }
    },
  }
}

async function removeLoose(engine: Engine, signal: AbortSignal): Promise<number> {
  const { registry, database, clock } = engine.services
  const definition = registry.serving('files')
  if (!definition) return 0
  const context = engine.context(SYSTEM_ACTOR, await engine.tier())
  const before = new Date(clock.now() - LOOSE_KEPT * DAY).toISOString()
  let removed = 0
  while (!signal.aborted) {
    const names = await looseRecords(database.read, definition, before, BATCH)
    const outcomes = await Promise.all(
      names.map((name) =>
        removeDocument(context, definition, name).then(
          () => 1,
          (error: unknown) => {
            // Somebody links to it, or has deleted it.
            if (isRefusal(error)) return 0
            throw error
          },
        ),
      ),
    )
    const gone = outcomes.filter((one) => one === 1).length
    removed += gone
    if (gone === 0) break
  }
  return removed
}

async function removeIdle(
  { services: { database, clock } }: Engine,
  { contents }: Files,
  signal: AbortSignal,
): Promise<number> {
  const before = clock.now() - DAY
  let removed = 0
  while (!signal.aborted) {
    const hashes = await idleContents(database.read, before, BATCH)
    if (hashes.length === 0) break
    for (const hash of hashes)
      await database.write(async (tx) => {
        // Within the transaction: who brings the same content now waits, and finds that it is gone.
        if (await dropContent(tx, hash, before)) await contents.remove(hash)
      })
    removed += hashes.length
  }
  return removed
}
