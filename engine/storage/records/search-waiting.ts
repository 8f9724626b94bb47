import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { runText } from '../database/statements.ts'

/** Texts that wait for SQLite's index; one without a body is of a record that is gone, and `replaces` says that the index may have another. */
export const WAITING = 'svc_search_waiting'

/** Most texts that wait, and most of their characters: what every search goes through beside the index. */
const MOST = { texts: 64, characters: 20_000 }

interface Amount {
  texts: number
  characters: number
}

/** Writes texts into SQLite's index, many at once. */
export interface WaitingTexts {
  /** The text by which a record is found that had none. */
  add(tx: Db, id: bigint, body: string): Promise<void>
  /** The text by which it is found from now on; null takes it out. */
  replace(tx: Db, id: bigint, body: string | null): Promise<void>
}

export async function prepareWaiting(tx: Db): Promise<void> {
  await sql`create table if not exists ${sql.table(WAITING)} (id integer primary key, body text, replaces integer not null)`.execute(
    tx,
  )
}

/**
 * Texts wait in a table of their own, in the transaction of their record, and the one that makes them too many moves all of
 * them into the index: a trigram index writes hardly more pages for sixty texts than for one. Searches read both. How many
 * wait is counted here and not asked, since it may be wrong: others of the same file, and transactions that are taken back, only
 * let the next move come earlier or later.
 */
export function waitingTexts(): WaitingTexts {
  let known: Amount | undefined

  async function put(tx: Db, id: bigint, body: string | null, replaces: 0 | 1): Promise<void> {
    known ??= await countAll(tx)
    await runText(tx, PUT, [id, body, replaces])
    known.texts += 1
    known.characters += body?.length ?? 0
    if (known.texts < MOST.texts && known.characters < MOST.characters) return
    for (const text of MOVES) await runText(tx, text, [])
    // Who moves them may be taken back.
    known = undefined
  }

  return {
    add: (tx, id, body) => put(tx, id, body, 0),
    replace: (tx, id, body) => put(tx, id, body, 1),
  }
}

const PUT = `insert into ${WAITING} (id, body, replaces) values (?, ?, ?)
  on conflict (id) do update set body = excluded.body, replaces = max(replaces, excluded.replaces)`

/** Statements that move all texts into the index. */
export const MOVES = [
  `delete from svc_search where rowid in (select id from ${WAITING} where body is null)`,
  `insert or replace into svc_search (rowid, body) select id, body from ${WAITING} where body is not null order by id`,
  `delete from ${WAITING}`,
]

async function countAll(tx: Db): Promise<Amount> {
  const text = `select count(*) as texts, coalesce(sum(length(body)), 0) as characters from ${WAITING}`
  const { rows } = await runText<Record<keyof Amount, bigint>>(tx, text, [])
  return { texts: Number(rows[0]?.texts), characters: Number(rows[0]?.characters) }
}
