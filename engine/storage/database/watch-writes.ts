import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { isoDateTime, systemClock } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import type { Database, Db } from './database.ts'
import { TROUBLES, type TroubleKind, troubleOf, type WriteTrouble } from './write-trouble.ts'

/** Time between two tries whether writing works again, in ms; also what callers are told to wait. */
const EVERY_MS = 1_000
const RETRY_AFTER = '10'

/**
 * A database that knows whether it can be written to. A write that fails because of the disk is UNAVAILABLE, in words;
 * from then on a write is tried each second, so that it knows by itself when it is over: nobody has to start anything
 * again.
 */
export function watchWrites(database: Omit<Database, 'trouble'>): Database {
  let closed = false
  let trouble: WriteTrouble | undefined
  let timer: NodeJS.Timeout | undefined

  function over(): void {
    trouble = undefined
    clearTimeout(timer)
    timer = undefined
  }

  /** Remembers the trouble an error tells of, and begins to try again. */
  function note(error: unknown): TroubleKind | undefined {
    const kind = troubleOf(error)
    if (kind === undefined) return undefined
    if (trouble?.kind !== kind)
      trouble = { kind, since: trouble?.since ?? isoDateTime(systemClock) }
    tryLater()
    return kind
  }

  function tryLater(): void {
    if (closed) return
    timer ??= setTimeout(tryNow, EVERY_MS).unref()
  }

  function tryNow(): void {
    tryToWrite(database).then(over, (error: unknown) => {
      timer = undefined
      note(error)
      // Whatever else it is, the trouble is not known to be over.
      tryLater()
    })
  }

  async function inWords<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (error) {
      const kind = note(error)
      if (kind === undefined) throw error
      throw new AppError(
        'UNAVAILABLE',
        `${TROUBLES[kind]}, so nothing can be changed now; reading and exporting go on, and changes are taken again as soon as it can be written to`,
        { headers: { 'Retry-After': RETRY_AFTER }, cause: error },
      )
    }
  }

  return {
    ...database,
    trouble: () => trouble,
    write: (job, person, together) => inWords(() => database.write(job, person, together)),
    rehearse: (job, person) => inWords(() => database.rehearse(job, person)),
    close() {
      closed = true
      clearTimeout(timer)
      return database.close()
    },
  }
}

/**
 * Lets a database of SQLite be read only, for as long as it is open: each change is then refused as one of a disk that may
 * only be read.
 */
export async function refuseChanges(database: Database): Promise<void> {
  await database.write((tx) => sql`pragma query_only = on`.execute(tx))
}

/** Bytes that are tried to be written: where there is room for a line or two only, the disk is still full. */
const TRIED = 128 * 1024
const TABLE = 'svc_settings'
const TRIED_KEY = 'tried to write '

/**
 * Writes something of the size of a usual change, so that the disk is really asked, and takes it away again, with what an
 * earlier try of whoever could not. Its name is its own: another process may try at the same time.
 */
async function tryToWrite({ write }: Pick<Database, 'write'>): Promise<void> {
  const remove = (tx: Db): Promise<unknown> =>
    tx.deleteFrom(TABLE).where('key', 'like', `${TRIED_KEY}%`).execute()
  const row = { key: `${TRIED_KEY}${randomUUID()}`, value: 'x'.repeat(TRIED) }
  await write(async (tx) => {
    await remove(tx)
    await tx.insertInto(TABLE).values(row).execute()
  })
  await write(remove)
}
