import { sql } from 'kysely'
import { chunks } from '../../base/chunks.ts'
import { idsFrom } from '../../base/ids.ts'
import { uniqueViolation } from '../database/conflict.ts'
import type { Db } from '../database/database.ts'
import { blankRows, runText, textsByRows, valuesOf } from '../database/statements.ts'

/** What became of a record of a job. */
export interface JobOutcome {
  readonly place: number
  readonly outcome:
    | 'created'
    | 'updated'
    | 'submitted'
    | 'cancelled'
    | 'deleted'
    | 'drafted'
    | 'unchanged'
    | 'done'
    | 'refused'
    | 'undone'
  /** Id of the record; null where none came of it. */
  readonly record: string | null
  /** JSON of what a change has replaced, or of the drafts that an action has made; null where there is nothing to put back. */
  readonly before?: string | null
  /** JSON of why it was refused. */
  readonly problems?: string | null
}

const COLUMNS = ['job', 'place', 'outcome', 'record', 'before', 'problems'] as const
/** Rows of one statement. */
const CHUNK = 32

/** Writer of what became of records; keep it, its statements are made once. */
export type NoteOutcomes = (tx: Db, job: string, outcomes: readonly JobOutcome[]) => Promise<void>

/** Makes a writer of outcomes. A place that has one already is a unique violation (`isNoted`). */
export function outcomeWriter(): NoteOutcomes {
  const inserts = textsByRows((db, rows) =>
    db.insertInto('svc_job_rows').values(blankRows(COLUMNS, rows)).compile(),
  )
  return async (tx, job, outcomes) => {
    for (const some of chunks(outcomes, CHUNK)) {
      const rows = some.map((one) => ({ before: null, problems: null, ...one, job }))
      await runText(tx, inserts(tx, rows.length), valuesOf(rows, COLUMNS))
    }
  }
}

/** Whether an error is that a place has its outcome already: another process works on the job. */
export function isNoted(error: unknown): boolean {
  return uniqueViolation(error)?.table === 'svc_job_rows'
}

/** Places beyond one that have an outcome. */
export async function placesBeyond(
  db: Db,
  job: string,
  place: number,
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('svc_job_rows')
    .select('place')
    .where('job', '=', job)
    .where('place', '>', place)
    .execute()
  return new Set(rows.map((row) => Number(row.place)))
}

/** Refused records of a job beyond a place, in their order. */
export async function refusedOf(
  db: Db,
  job: string,
  { after = -1, limit }: { readonly after?: number; readonly limit: number },
): Promise<readonly JobOutcome[]> {
  const rows = await db
    .selectFrom('svc_job_rows')
    .select(['place', 'outcome', 'record', 'problems'])
    .where('job', '=', job)
    .where('problems', 'is not', null)
    .where('place', '>', after)
    .orderBy('place')
    .limit(limit)
    .execute()
  return rows.map(readOutcome)
}

function readOutcome(row: Record<string, unknown>): JobOutcome {
  return { ...row, place: Number(row.place) } as unknown as JobOutcome
}

/** Keeps a piece of what a job works through. */
export async function insertJobPart(
  tx: Db,
  job: string,
  part: number,
  content: string,
): Promise<void> {
  await tx.insertInto('svc_job_parts').values({ job, part, content }).execute()
}

/** A piece of what a job works through; undefined behind the last. */
export async function readJobPart(db: Db, job: string, part: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('svc_job_parts')
    .select('content')
    .where('job', '=', job)
    .where('part', '=', part)
    .executeTakeFirst()
  return row === undefined ? undefined : String(row.content)
}

/** Number of the pieces of a job. */
export async function countJobParts(db: Db, job: string): Promise<number> {
  const row = await db
    .selectFrom('svc_job_parts')
    .select(sql<unknown>`count(*)`.as('n'))
    .where('job', '=', job)
    .executeTakeFirst()
  return Number(row?.n ?? 0)
}

/** Characters of all pieces of a job. */
export async function lengthOfParts(db: Db, job: string): Promise<number> {
  const row = await db
    .selectFrom('svc_job_parts')
    .select(sql<unknown>`coalesce(sum(length(content)), 0)`.as('n'))
    .where('job', '=', job)
    .executeTakeFirst()
  return Number(row?.n ?? 0)
}

/** Outcomes that can be taken back. */
const WRITTEN = ['created', 'updated', 'submitted', 'cancelled', 'deleted', 'drafted'] as const

/** Numbers of records of a job by what became of them. */
export async function outcomeCounts(db: Db, job: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('svc_job_rows')
    .select(['outcome', ({ fn }) => fn.countAll().as('n')])
    .where('job', '=', job)
    .groupBy('outcome')
    .execute()
  return new Map(rows.map(({ outcome, n }) => [String(outcome), Number(n)]))
}

/** Records that a job has written, the last first. */
export async function writtenBy(
  db: Db,
  job: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly JobOutcome[]> {
  const rows = await db
    .selectFrom('svc_job_rows')
    .select(['place', 'outcome', 'record', 'before', 'problems'])
    .where('job', '=', job)
    .where('outcome', 'in', WRITTEN)
    .orderBy('place', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(readOutcome)
}

/** Removes what is kept of a job that never began. */
export async function removeJobParts(tx: Db, job: string): Promise<void> {
  await tx.deleteFrom('svc_job_parts').where('job', '=', job).execute()
}

/** Removes at most `limit` pieces of files whose uploads broke off before a moment (ms). Returns how many went. */
export async function pruneLooseParts(tx: Db, before: number, limit: number): Promise<number> {
  const loose = tx
    .selectFrom('svc_job_parts')
    .select('seq')
    .where('job', '<', idsFrom('job', before))
    .where('job', 'not in', tx.selectFrom('svc_jobs').select('id'))
    .limit(sql.lit(limit))
  const gone = await tx.deleteFrom('svc_job_parts').where('seq', 'in', loose).executeTakeFirst()
  return Number(gone.numDeletedRows)
}
