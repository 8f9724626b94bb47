import { sql } from 'kysely'
import { idsFrom } from '../../engine/base/ids.ts'
import type { DatabaseKind, Db } from '../../engine/storage/database/database.ts'

/** `failed` mail was refused, or could not be sent in time. */
export type MailState = 'waiting' | 'sent' | 'failed'

/** Mail that was just put into the outbox. */
export interface NewMail {
  readonly id: string
  readonly kind: string
  readonly recipient: string
  /** Sealed. */
  readonly content: string
  /** Moment it is to be tried, in ms. */
  readonly due: number
  readonly created: string
  readonly expires: string | null
}

/** A mail a sender holds. */
export interface ClaimedMail extends Omit<NewMail, 'due'> {
  /** Attempts made before this one. */
  readonly attempts: number
}

/** State of a mail after an attempt. */
export interface SettledMail {
  readonly state: MailState
  readonly attempts: number
  /** Moment the next attempt is due, in ms; null = none. */
  readonly due: number | null
  readonly sent: string | null
  readonly error: string | null
}

export async function insertMail(tx: Db, mail: NewMail): Promise<void> {
  await tx
    .insertInto('svc_mails')
    .values({ ...mail, state: 'waiting', attempts: 0 })
    .execute()
}

/** Moment the next mail is due, in ms; what others are sending counts with the end of their leases. */
export async function nextMailDue(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ due: unknown }>`
    select min(due) as due from svc_mails where due is not null`.execute(db)
  const due = rows[0]?.due ?? null
  return due === null ? undefined : Number(due)
}

/**
 * Takes the mail that is due the longest: until the lease ends no other sender gets it, in whatever process it
 * runs. Undefined when none is due.
 */
export async function claimMail(
  tx: Db,
  kind: DatabaseKind,
  { now, leaseUntil, sender }: Readonly<Record<'now' | 'leaseUntil', number>> & { sender: string },
): Promise<ClaimedMail | undefined> {
  const locked = kind === 'postgres' ? sql`for update skip locked` : sql``
  const { rows } = await sql<ClaimedMail & { attempts: unknown }>`
    update svc_mails set due = ${leaseUntil}, leased_by = ${sender}
    where id = (select id from svc_mails where due <= ${now} order by due limit 1 ${locked})
    returning id, kind, recipient, content, attempts, created, expires`.execute(tx)
  const [row] = rows
  return row && { ...row, attempts: Number(row.attempts) }
}

/**
 * Writes how an attempt left a mail and ends its lease; of one that is sent only `remains` (sealed) is kept of what it said. One
 * whose lease ran out and went to another sender is that one's business.
 */
export async function settleMail(
  tx: Db,
  sender: string,
  id: string,
  settled: SettledMail,
  remains = '',
): Promise<void> {
  await tx
    .updateTable('svc_mails')
    .set({ ...settled, leased_by: null, ...(settled.state === 'sent' && { content: remains }) })
    .where('id', '=', id)
    .where('leased_by', '=', sender)
    .execute()
}

/** A mail that went out, with what came back of it before, line by line; undefined for one that is not known. */
export async function findSent(
  db: Db,
  id: string,
): Promise<(ClaimedMail & { readonly error: string | null }) | undefined> {
  const row = await db
    .selectFrom('svc_mails')
    .select(['id', 'kind', 'recipient', 'content', 'attempts', 'created', 'expires', 'error'])
    .where('id', '=', id)
    .where('sent', 'is not', null)
    .executeTakeFirst()
  return row && ({ ...row, attempts: Number(row.attempts) } as never)
}

/** Marks a mail that went out as one that did not arrive. */
export async function markReturned(tx: Db, id: string, error: string): Promise<void> {
  await tx.updateTable('svc_mails').set({ state: 'failed', error }).where('id', '=', id).execute()
}

/** Names of the senders that hold mail, dead ones too. */
export async function mailHolders(db: Db): Promise<string[]> {
  const { rows } = await sql<{ leased_by: string }>`
    select distinct leased_by from svc_mails where due is not null and leased_by is not null`.execute(
    db,
  )
  return rows.map(({ leased_by }) => leased_by)
}

/** Gives back at once what a sender holds. */
export async function releaseMails(tx: Db, sender: string, now: number): Promise<void> {
  await tx
    .updateTable('svc_mails')
    .set({ due: now, leased_by: null })
    .where('leased_by', '=', sender)
    .where('due', 'is not', null)
    .execute()
}

/** Mails of one state. */
export interface MailCount {
  readonly count: number
  /** Moment the oldest of them was put into the outbox, ISO 8601; null when there is none. */
  readonly oldest: string | null
}

/** Counts of mail that has not gone out, for those who look after the workspace. */
export interface MailBacklog {
  readonly waiting: MailCount
  readonly failed: MailCount
}

/** Counts what waits and what was given up. */
export async function mailBacklog(db: Db): Promise<MailBacklog> {
  const { rows } = await sql<{ state: string; count: unknown; oldest: string }>`
    select state, count(*) as count, min(created) as oldest from svc_mails
    where state in ('waiting', 'failed') group by state`.execute(db)
  const of = (state: MailState): MailCount => {
    const row = rows.find((one) => one.state === state)
    return { count: Number(row?.count ?? 0), oldest: row?.oldest ?? null }
  }
  return { waiting: of('waiting'), failed: of('failed') }
}

/** Mail that waits, `limit` of it, its content still sealed: it can be asked whether a key opens it. */
export async function someWaiting(
  db: Db,
  limit: number,
): Promise<readonly Pick<ClaimedMail, 'id' | 'content'>[]> {
  const rows = await db
    .selectFrom('svc_mails')
    .select(['id', 'content'])
    .where('state', '=', 'waiting')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows as unknown as Pick<ClaimedMail, 'id' | 'content'>[]
}

/** Removes at most `limit` mails put by before a moment (ms) that nothing is to be done with. Returns how many. */
export async function pruneMails(tx: Db, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('svc_mails')
    .where(
      'id',
      'in',
      tx
        .selectFrom('svc_mails')
        .select('id')
        .where('state', 'in', ['sent', 'failed'])
        .where('id', '<', idsFrom('mail', before))
        .limit(sql.lit(limit)),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
