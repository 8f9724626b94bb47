import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { AppError } from '../../base/errors.ts'
import { quotedName } from './quoted-name.ts'

/** insufficient_privilege (PostgreSQL, appendix A). */
const NOT_ALLOWED = '42501'

/** Place beside a workspace on PostgreSQL for a copy of it, which goes away again. */
export interface PostgresScratch {
  /** Place as a URL; each session from it bears the name of the scratch. */
  readonly url: string
  readonly name: string
  /** A database of its own, or, where the role may make none, a schema in that of the workspace. */
  readonly kind: 'database' | 'schema'
  /** Ends all sessions of the copy at once; returns how many there were. */
  cut(): Promise<number>
  /** Lets nothing be written to the copy by sessions that begin from now on, or again. Only a database can. */
  setReadOnly(isReadOnly: boolean): Promise<void>
  /** Removes the place with all that is in it. */
  drop(): Promise<void>
}

/**
 * Makes an empty place on the server of a workspace, whose own tables are not touched. Throws FORBIDDEN where the role may
 * make neither a database nor a schema.
 */
export async function makePostgresScratch(workspace: string): Promise<PostgresScratch> {
  const name = `svc_chaos_${randomBytes(4).toString('hex')}`
  const kind = await makePlace(workspace, name)
  const url = new URL(workspace)
  url.searchParams.set('application_name', name)
  if (kind === 'database') url.pathname = `/${name}`
  else url.searchParams.set('options', `-c search_path=${name}`)
  const here = (text: string): Promise<number> => execute(workspace, text)
  const cut = (): Promise<number> =>
    here(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = '${name}' and pid <> pg_backend_pid()`,
    )
  return {
    url: url.href,
    name,
    kind,
    cut,
    async setReadOnly(isReadOnly) {
      const value = isReadOnly ? 'on' : 'off'
      await here(`alter database ${quotedName(name)} set default_transaction_read_only = ${value}`)
      await cut()
    },
    async drop() {
      await cut()
      await here(
        kind === 'database'
          ? `drop database if exists ${quotedName(name)} with (force)`
          : `drop schema if exists ${quotedName(name)} cascade`,
      )
    },
  }
}

async function makePlace(workspace: string, name: string): Promise<PostgresScratch['kind']> {
  try {
    await execute(workspace, `create database ${quotedName(name)}`)
    return 'database'
  } catch (error) {
    if (!isNotAllowed(error)) throw error
  }
  try {
    await execute(workspace, `create schema ${quotedName(name)}`)
    return 'schema'
  } catch (error) {
    if (!isNotAllowed(error)) throw error
    throw new AppError(
      'FORBIDDEN',
      'the role of this database may make neither a database nor a schema for the copy: run `alter role … createdb` as a superuser, or `grant create on database … to …`',
      { cause: error },
    )
  }
}

function isNotAllowed(error: unknown): boolean {
  return error instanceof Error && (error as { code?: string }).code === NOT_ALLOWED
}

async function execute(url: string, text: string): Promise<number> {
  const client = new pg.Client({ connectionString: url, application_name: 'svc chaos' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rowCount } = await client.query(text)
    return rowCount ?? 0
  } finally {
    await client.end()
  }
}
