import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../base/errors.ts'
import type { DatabaseKind, Db } from '../database/database.ts'
import type { ComputedColumns } from './computed-columns.ts'

/** The table of generations: a number, `checksum`, `program`, `folders` (JSON) and `created` (ISO) each. */
export const GENERATIONS = 'svc_definitions'

/** Definitions that a process works with, beside those of the workspace. */
export interface OwnDefinitions {
  /** Checksum of everything they say and of the tables they want: `definitionsChecksum`. */
  readonly checksum: string
  /** The program as `svc --version` says it; asked only where somebody has to be told. */
  readonly program: () => string
  readonly folders: readonly string[]
  /** Columns whose values follow from what they say; asked only where they are others than those of before. */
  readonly computed: () => ComputedColumns
}

/** Definitions of a process, as far as they are told to people. */
type Described = Pick<OwnDefinitions, 'program' | 'folders'>

/** Definitions that a workspace was brought to; the one with the highest number holds. */
export interface Generation {
  readonly number: number
  readonly checksum: string
  readonly program: string
  readonly folders: readonly string[]
  /** ISO 8601, UTC. */
  readonly created: string
}

/** Checksum of definitions: of what they say, and of the tables that this program makes of them. */
export function definitionsChecksum(said: string, tables: string): string {
  return hash('sha256', JSON.stringify([said, tables]))
}

/** The generation that holds; undefined in a database that nobody has brought to any definitions. */
export async function newestGeneration(
  db: Db,
  kind: DatabaseKind,
): Promise<Generation | undefined> {
  if (!(await hasGenerations(db, kind))) return undefined
  const row = await db
    .selectFrom(GENERATIONS)
    .selectAll()
    .orderBy('generation', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && generationOf(row)
}

/** The last generation with these definitions, whether it holds or was replaced. */
export async function generationWith(db: Db, checksum: string): Promise<Generation | undefined> {
  const row = await db
    .selectFrom(GENERATIONS)
    .selectAll()
    .where('checksum', '=', checksum)
    .orderBy('generation', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && generationOf(row)
}

/**
 * Value for a column that must be set, null where a newer generation holds than `served`: what is written is refused
 * then, without a statement of its own, and without `returning`, which makes SQLite write its search index out.
 */
export function unlessNewer(served: number, value: string): RawBuilder<unknown> {
  const newest = sql`(select max(generation) from ${sql.table(GENERATIONS)})`
  return sql`case when ${newest} > ${served} then null else ${value} end`
}

/** Refusal of a change by a process beside which the workspace was brought to newer definitions. */
export function supersededHere(): AppError {
  return new AppError(
    'UNAVAILABLE',
    'newer definitions hold in this workspace than this process works with, so it takes no changes any more; try again, another process answers',
    { headers: { 'Retry-After': '1' } },
  )
}

/** Adds the generation of these definitions, in the transaction that brings the tables to them. */
export async function addGeneration(
  tx: Db,
  number: number,
  { checksum, program, folders }: OwnDefinitions,
  created: string,
): Promise<void> {
  await tx
    .insertInto(GENERATIONS)
    .values({
      generation: number,
      checksum,
      program: program(),
      folders: JSON.stringify(folders),
      created,
    })
    .execute()
}

/**
 * Whether definitions that were replaced are those of somebody who took back what they wrote, e.g. a file that they had
 * dropped in, and not those of an older process that comes back: the same program with the same folders, on SQLite,
 * which one process serves at a time.
 */
export function isTakenBack(kind: DatabaseKind, newest: Generation, own: Described): boolean {
  return (
    kind === 'sqlite' &&
    newest.program === own.program() &&
    JSON.stringify(newest.folders) === JSON.stringify(own.folders)
  )
}

/** Refusal of a process whose definitions are not those of the workspace, and which is not to bring it to them. */
export function otherDefinitions(newest: Generation, own: Described): AppError {
  return new AppError(
    'CONFLICT',
    `expected the definitions of this workspace, generation ${newest.number} by ${described(newest)}, got others by ${describedOwn(own)}: name the same folders (--doctypes, SVC_DOCTYPES) and use the same program, or bring the workspace to these with \`svc migrate\``,
  )
}

/** Refusal of a process whose definitions the workspace had before, and has no more. */
export function olderDefinitions(newest: Generation, before: Generation, own: Described): AppError {
  return new AppError(
    'CONFLICT',
    `expected the definitions of this workspace, generation ${newest.number} by ${described(newest)}, got those of generation ${before.number}, which it has replaced, by ${describedOwn(own)}: start the newer program with the same folders, or go back on purpose with \`svc serve --accept-definitions\``,
  )
}

/** Refusal of a process that is to open a workspace as it is where there is none. */
export function noDefinitions(): AppError {
  return new AppError(
    'CONFLICT',
    'there is no workspace in this database, or one that nobody has brought to its definitions yet: `svc serve`, `svc setup` or `svc migrate` does',
  )
}

function described({ program, folders, created }: Generation): string {
  return `${program} with ${listed(folders)} on ${created}`
}

function describedOwn({ program, folders }: Described): string {
  return `${program()} with ${listed(folders)}`
}

function listed(folders: readonly string[]): string {
  return folders.length === 0 ? 'no folder' : folders.join(' + ')
}

function generationOf(row: Record<string, unknown>): Generation {
  return {
    number: Number(row.generation),
    checksum: row.checksum as string,
    program: row.program as string,
    folders: JSON.parse(row.folders as string) as string[],
    created: row.created as string,
  }
}

async function hasGenerations(db: Db, kind: DatabaseKind): Promise<boolean> {
  const query =
    kind === 'sqlite'
      ? sql`select 1 from sqlite_schema where type = 'table' and name = ${GENERATIONS}`
      : sql`select 1 from pg_class where relname = ${GENERATIONS} and relnamespace = current_schema()::regnamespace`
  return (await query.execute(db)).rows.length > 0
}
