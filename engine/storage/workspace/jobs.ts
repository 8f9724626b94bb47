import { sql } from 'kysely'
import { idsFrom } from '../../base/ids.ts'
import type { DatabaseKind, Db } from '../database/database.ts'

export type JobState = 'queued' | 'running' | 'done' | 'failed' | 'stopped'

/** States that a job does not leave any more. */
export const ENDED: readonly JobState[] = ['done', 'failed', 'stopped']

/** A job as `svc_jobs` keeps it. */
export interface JobRow {
  readonly id: string
  readonly kind: string
  /** Login of whose it is, or the id of a key of the workspace. */
  readonly owner: string
  /** JSON of as whom it acts. */
  readonly principal: string
  /** Slug of the resource that it is about; empty where it is about none. */
  readonly resource: string
  /** Id of the one record that it is about; null where it is about none or many. */
  readonly record: string | null
  readonly state: JobState
  /** JSON of what was asked for. */
  readonly input: string
  /** All up to this place is done. */
  readonly place: number
  /** Records that are through, refused ones too. */
  readonly done: number
  readonly failed: number
  readonly total: number
  /** JSON of what it came to, or of why it waits to be tried again; null while it goes on. */
  readonly result: string | null
  /** Times in a row that it broke off without having come on. */
  readonly tries: number
  readonly stop_asked: number
  /** ms; null = nothing is to be done. */
  readonly due: number | null
  readonly leased_by: string | null
  readonly created: string
  readonly modified: string
}

export type JobChange = Partial<
  Pick<
    JobRow,
    'state' | 'place' | 'done' | 'failed' | 'total' | 'result' | 'tries' | 'due' | 'modified'
  > & { readonly leased_by: null }
>

const TABLE = 'svc_jobs'
const NUMBERS = ['place', 'done', 'failed', 'total', 'tries', 'stop_asked'] as const

/** Counts come as BigInt from both databases. */
function readJob(raw: Record<string, unknown>): JobRow {
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, Number(raw[name])]))
  const due = raw.due === null ? null : Number(raw.due)
  return { ...raw, ...numbers, due } as unknown as JobRow
}

/** What a new job is asked for. */
type WantedJob = Pick<
  JobRow,
  'id' | 'kind' | 'owner' | 'principal' | 'resource' | 'input' | 'total'
> & { readonly record?: string }

/** A job that waits, from a moment on (ms). */
export function queuedJob(wanted: WantedJob, now: number): JobRow {
  const moment = new Date(now).toISOString()
  return {
    record: null,
    ...wanted,
    state: 'queued',
    ...{ place: 0, done: 0, failed: 0, tries: 0, stop_asked: 0 },
    ...{ result: null, leased_by: null, due: now, created: moment, modified: moment },
  }
}

/** Jobs about one record, newest first. */
export async function jobsOfRecord(
  db: Db,
  resource: string,
  record: string,
): Promise<readonly JobRow[]> {
  const rows = await db
    .selectFrom(TABLE)
    .selectAll()
    .where('record', '=', record)
    .where('resource', '=', resource)
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
  return rows.map(readJob)
}

/** Adds a job. */
export async function insertJob(tx: Db, row: JobRow): Promise<void> {
  await tx
    .insertInto(TABLE)
    .values({ ...row })
    .execute()
}

/** The job of an id; undefined where there is none. */
export async function findJob(db: Db, id: string): Promise<JobRow | undefined> {
  const raw = await db.selectFrom(TABLE).selectAll().where('id', '=', id).executeTakeFirst()
  return raw && readJob(raw)
}

/** The job of a kind that has not ended, else the newest that has. */
export async function jobOfKind(db: Db, kind: string): Promise<JobRow | undefined> {
  const raw = await db
    .selectFrom(TABLE)
    .selectAll()
    .where('kind', '=', kind)
    .orderBy(({ eb }) => eb.case().when('due', 'is', null).then(1).else(0).end())
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return raw && readJob(raw)
}

/** Which jobs are meant: those of one owner, or all. */
export interface JobsOf {
  readonly owner?: string
}

/** Jobs, newest first. */
export async function selectJobs(
  db: Db,
  {
    owner,
    limit,
    offset,
    before,
  }: JobsOf & { limit: number; offset?: number | undefined; before?: string | undefined },
): Promise<readonly JobRow[]> {
  let query = db.selectFrom(TABLE).selectAll().orderBy('id', 'desc').limit(limit)
  if (owner !== undefined) query = query.where('owner', '=', owner)
  if (offset) query = query.offset(offset)
  if (before !== undefined) query = query.where('id', '<', before)
  return (await query.execute()).map(readJob)
}

/** Number of jobs; with `open` of those that have not ended. */
export async function countJobs(
  db: Db,
  { owner, open }: JobsOf & { open?: true },
): Promise<number> {
  let query = db.selectFrom(TABLE).select(({ fn }) => fn.countAll().as('n'))
  if (owner !== undefined) query = query.where('owner', '=', owner)
  if (open) query = query.where('state', 'not in', ENDED)
  return Number((await query.executeTakeFirst())?.n ?? 0)
}

/** Changes a job. With `worker`, only while that one holds it: false where it does not. */
export async function updateJob(
  tx: Db,
  id: string,
  change: JobChange,
  worker?: string,
): Promise<boolean> {
  let query = tx.updateTable(TABLE).set(change).where('id', '=', id)
  if (worker !== undefined) query = query.where('leased_by', '=', worker)
  return (await query.executeTakeFirst()).numUpdatedRows > 0n
}

/** Makes a job that nobody holds due before all others, and forgets why it waited. */
export async function wakeJob(tx: Db, id: string): Promise<void> {
  await tx
    .updateTable(TABLE)
    .set({ due: 0, result: null })
    .where('id', '=', id)
    .where('leased_by', 'is', null)
    .where('due', 'is not', null)
    .execute()
}

/** Asks a job to stop; one that nobody works on has stopped then. False where it has ended. */
export async function askToStop(tx: Db, id: string, modified: string): Promise<boolean> {
  const result = JSON.stringify({ message: 'stopped before it began' })
  const waiting = await tx
    .updateTable(TABLE)
    .set({ stop_asked: 1, state: 'stopped', due: null, result, modified })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .executeTakeFirst()
  if (waiting.numUpdatedRows > 0n) return true
  const running = await tx
    .updateTable(TABLE)
    .set({ stop_asked: 1, modified })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return running.numUpdatedRows > 0n
}

/** Moment the next job of these kinds is due, in ms; what others work on counts with the end of its lease. */
export async function nextJobDue(
  db: Db,
  { worker, kinds }: Pick<JobClaim, 'worker' | 'kinds'>,
): Promise<number | undefined> {
  const { rows } = await sql<{ due: unknown }>`select min(due) as due from svc_jobs
    where due is not null and leased_by is distinct from ${worker} and kind in (${sql.join(kinds)})`.execute(
    db,
  )
  const due = rows[0]?.due ?? null
  return due === null ? undefined : Number(due)
}

/** Who claims a job, and until when nobody else gets it. */
export interface JobClaim {
  readonly now: number
  readonly leaseUntil: number
  readonly worker: string
  /** Kinds of work that the worker knows. */
  readonly kinds: readonly string[]
}

/**
 * Takes the job that waits the longest, of somebody of whom none is worked on: one person's jobs go one after the other.
 * What the worker holds itself it does not get again. Undefined where there is none.
 */
export async function claimJob(
  tx: Db,
  kind: DatabaseKind,
  { now, leaseUntil, worker, kinds }: JobClaim,
): Promise<JobRow | undefined> {
  const locked = kind === 'postgres' ? sql`for update skip locked` : sql``
  const { rows } = await sql<Record<string, unknown>>`
    update svc_jobs set due = ${leaseUntil}, leased_by = ${worker}, state = 'running', result = null
    where id = (select j.id from svc_jobs j where j.due <= ${now} and j.leased_by is distinct from ${worker}
      and j.kind in (${sql.join(kinds)})
      and not exists (select 1 from svc_jobs o where o.owner = j.owner and o.leased_by is not null and o.due > ${now})
      order by j.due, j.id limit 1 ${locked})
    returning *`.execute(tx)
  return rows[0] && readJob(rows[0])
}

/** Names of the workers that hold jobs, dead ones too. */
export async function jobHolders(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ leased_by: string }>`select distinct leased_by from svc_jobs
    where due is not null and leased_by is not null`.execute(db)
  return rows.map(({ leased_by }) => leased_by)
}

/** Gives back at once what a worker holds, but the jobs of these ids. */
export async function releaseJobs(
  tx: Db,
  worker: string,
  now: number,
  but: readonly string[] = [],
): Promise<void> {
  let query = tx
    .updateTable(TABLE)
    .set({ due: now, leased_by: null })
    .where('leased_by', '=', worker)
    .where('due', 'is not', null)
  if (but.length > 0) query = query.where('id', 'not in', but)
  await query.execute()
}

/**
 * Removes jobs made before a moment (ms) that have ended, at most `limit` of what they kept at a time, and a job when nothing
 * of it is left. Returns how many rows went.
 */
export async function pruneJobs(tx: Db, before: number, limit: number): Promise<number> {
  const old = await tx
    .selectFrom(TABLE)
    .select('id')
    .where('id', '<', idsFrom('job', before))
    .where('state', 'in', ENDED)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!old) return 0
  for (const table of ['svc_job_rows', 'svc_job_parts']) {
    const some = tx.selectFrom(table).select('seq').where('job', '=', old.id).limit(sql.lit(limit))
    const gone = await tx.deleteFrom(table).where('seq', 'in', some).executeTakeFirst()
    if (gone.numDeletedRows > 0n) return Number(gone.numDeletedRows)
  }
  await tx.deleteFrom(TABLE).where('id', '=', old.id).execute()
  return 1
}
