import { sql } from 'kysely'
import { AppError } from '../../base/errors.ts'
import type { Db } from '../database/database.ts'

/** Key of the lock under which the extension is made, which is the database's and no schema's; "trgm" in ASCII. */
const EXTENSION_LOCK = 0x7472676d

/** insufficient_privilege (PostgreSQL, appendix A). */
const MAY_NOT = '42501'
/** feature_not_supported and undefined_file: the server has no such extension on its disk. */
const NOT_INSTALLED = new Set(['0A000', '58P01'])

interface Place {
  readonly database: string
  readonly role: string
  readonly path: string
  readonly schema: string | null
  readonly may_create: boolean | null
}

/** Throws CONFLICT where the connection is in no schema at all: its search_path names none that is there. */
export async function assertSchema(db: Db): Promise<void> {
  const { schema, path, database } = await placeOf(db)
  if (schema !== null) return
  throw new AppError(
    'CONFLICT',
    `the search_path (${path}) of this connection names no schema that is there: run \`create schema …\` in database ${database}, or name another`,
  )
}

/** Throws CONFLICT where the role may not make tables. */
export async function assertMayCreate(db: Db): Promise<void> {
  const { schema, role, database, may_create } = await placeOf(db)
  if (may_create) return
  throw new AppError(
    'CONFLICT',
    `the role ${role} may not make tables in schema ${schema} of database ${database}: let its owner run \`grant create on schema ${schema} to ${role}\`, or give it a schema of its own`,
  )
}

async function placeOf(db: Db): Promise<Place> {
  const { rows } = await sql<Place>`
    select current_database() as database, current_user as role, current_setting('search_path') as path,
      current_schema() as schema, has_schema_privilege(current_schema(), 'create') as may_create`.execute(
    db,
  )
  return rows[0]!
}

/** Schema in which the extension pg_trgm lies; undefined where the database has none. */
export async function trigramSchema(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ schema: string }>`
    select extnamespace::regnamespace::text as schema from pg_extension where extname = 'pg_trgm'`.execute(
    db,
  )
  return rows[0]?.schema
}

/**
 * Makes the extension pg_trgm where it is missing, and returns its schema: the search_path need not name it. Throws
 * CONFLICT that says who has to run what where the role may not, or the server has no such extension.
 */
export async function makeTrigrams(tx: Db): Promise<string> {
  const known = await trigramSchema(tx)
  if (known !== undefined) return known
  // Two processes that start together would both make it, and one would fail; the lock ends with `tx`.
  await sql`select pg_advisory_xact_lock(${sql.lit(EXTENSION_LOCK)})`.execute(tx)
  const { rows } = await sql<{ is_there: boolean }>`
    select to_regnamespace('public') is not null as is_there`.execute(tx)
  // In the schema of one workspace it would go with that one, for all others too.
  const place = rows[0]?.is_there ? sql` schema public` : sql``
  try {
    await sql`create extension if not exists pg_trgm${place}`.execute(tx)
  } catch (error) {
    throw inWords(error)
  }
  return (await trigramSchema(tx))!
}

function inWords(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === MAY_NOT)
    return new AppError(
      'CONFLICT',
      'search needs the extension pg_trgm, and this role may not make it: let the owner of the database or a superuser run `create extension pg_trgm` in it, once, then start again',
      { cause: error },
    )
  if (NOT_INSTALLED.has(code))
    return new AppError(
      'CONFLICT',
      'search needs the extension pg_trgm, which this server does not have: install the contrib package of PostgreSQL, then start again',
      { cause: error },
    )
  return error
}
