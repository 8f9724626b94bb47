import { sql } from 'kysely'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { deleteFactorsOf } from './factors/factor-store.ts'

/** A row of the people's table for each role, beside how they sign in. */
export interface PersonRow {
  readonly login: string
  readonly email: string | null
  readonly full_name: string | null
  readonly enabled: bigint | number | null
  readonly user_image: string | null
  readonly language: string | null
  readonly role: string | null
  readonly password: string | null
  readonly password_changed: string | null
  readonly demo_tier: string | null
  readonly unconfirmed: string | null
  /** Whether user permissions limit them. */
  readonly is_limited: bigint | number | boolean
  readonly has_factor: bigint | number | boolean
  /** Whether a role of theirs asks for a second factor. */
  readonly needs_factor: bigint | number | boolean
}

export interface AccountRow {
  readonly login: string
  readonly password: string | null
  readonly password_changed: string | null
  readonly demo_tier: string | null
  /** When the account of a stranger ends whose address nobody has proven. */
  readonly unconfirmed: string | null
}

type By = 'login' | 'email'

const COLUMN_OF: Readonly<Record<By, string>> = {
  login: 'u.name',
  email: 'u.email',
}

/** Field of a role that says whether its people need a second factor. */
const FACTOR_FIELD = 'second_factor'

/** The person of this login or e-mail address, a row a role; the DocType is the one that serves users. */
export async function selectPerson(
  db: Db,
  definition: DocTypeDefinition,
  by: By,
  value: string,
  { limits, roles }: Readonly<Record<'limits' | 'roles', DocTypeDefinition | undefined>>,
): Promise<readonly PersonRow[]> {
  const optional = (name: string) =>
    definition.fields.some((field) => field.name === name)
      ? sql.ref(`u.${name}`)
      : sql<string | null>`null`
  const isLimited = limits
    ? sql`exists (select 1 from ${sql.table(limits.table)} l where l."user" = u.name)`
    : sql`false`
  const asking = roles?.fields.some(({ name }) => name === FACTOR_FIELD) ? roles : undefined
  const needsFactor = asking
    ? sql`exists (select 1 from ${sql.table(`${definition.table}__roles`)} ur
        join ${sql.table(asking.table)} ro on ro.name = ur.role
        where ur.parent = u.rid and ${sql.ref(`ro.${FACTOR_FIELD}`)} = 1)`
    : sql`false`
  const { rows } = await sql<PersonRow>`
    select u.name as login, u.email as email, u.full_name as full_name, u.enabled as enabled,
      ${optional('user_image')} as user_image, ${optional('language')} as language, r.role as role,
      a.password as password, a.password_changed as password_changed,
      a.demo_tier as demo_tier, a.unconfirmed as unconfirmed, ${isLimited} as is_limited,
      exists (select 1 from svc_factors f where f.login = u.name) as has_factor,
      ${needsFactor} as needs_factor
    from ${sql.table(definition.table)} u
    left join ${sql.table(`${definition.table}__roles`)} r on r.parent = u.rid
    left join svc_accounts a on a.login = u.name
    where ${sql.ref(COLUMN_OF[by])} = ${value}`.execute(db)
  return rows
}

/** Sets some columns of an account, which is made where there is none. */
export async function writeAccount(
  tx: Db,
  login: string,
  changes: Partial<Omit<AccountRow, 'login'>>,
): Promise<void> {
  await tx
    .insertInto('svc_accounts')
    .values({ login, ...changes })
    .onConflict((conflict) => conflict.column('login').doUpdateSet(changes))
    .execute()
}

/** Notes that somebody is no stranger any more whose address is to be proven; does nothing for others. */
export async function markConfirmed(tx: Db, login: string): Promise<void> {
  await tx
    .updateTable('svc_accounts')
    .set({ unconfirmed: null })
    .where('login', '=', login)
    .where('unconfirmed', 'is not', null)
    .execute()
}

/** Logins of strangers who have not proven their address until `at`, at most `limit`. */
export async function selectOverdue(db: Db, at: string, limit: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('svc_accounts')
    .select('login')
    .where('unconfirmed', '<=', at)
    .orderBy('login')
    .limit(limit)
    .execute()
  return rows.map(({ login }) => String(login))
}

/** Forgets how somebody signed in. */
export async function removeAccount(tx: Db, login: string): Promise<void> {
  await tx.deleteFrom('svc_accounts').where('login', '=', login).execute()
  await tx.deleteFrom('svc_sessions').where('login', '=', login).execute()
  await tx.deleteFrom('svc_one_time_links').where('login', '=', login).execute()
  await deleteFactorsOf(tx, login)
}

/** Addresses of everybody who has a role and can sign in; as with `findPerson`, the login where there is no e-mail. */
export async function selectEmailsOf(
  db: Db,
  { table }: DocTypeDefinition,
  role: string,
): Promise<readonly string[]> {
  const { rows } = await sql<{ email: string }>`
    select distinct coalesce(u.email, u.name) as email
    from ${sql.table(table)} u join ${sql.table(`${table}__roles`)} r on r.parent = u.rid
    where u.enabled = 1 and r.role = ${role} order by 1`.execute(db)
  return rows.map(({ email }) => email)
}

export interface ListedPerson {
  readonly user: string
  readonly full_name: string
  readonly enabled: boolean
  readonly roles: readonly string[]
}

/** People of the workspace, by login, with their roles. */
export async function listPeople(
  db: Db,
  { table }: DocTypeDefinition,
): Promise<readonly ListedPerson[]> {
  const { rows } = await sql<Pick<PersonRow, 'login' | 'full_name' | 'enabled' | 'role'>>`
    select u.name as login, u.full_name as full_name, u.enabled as enabled, r.role as role
    from ${sql.table(table)} u left join ${sql.table(`${table}__roles`)} r on r.parent = u.rid
    order by u.name, r.role`.execute(db)
  return [...Map.groupBy(rows, ({ login }) => login).values()].map((of) => ({
    user: of[0]!.login,
    full_name: of[0]!.full_name ?? of[0]!.login,
    enabled: Number(of[0]!.enabled) === 1,
    roles: of.flatMap(({ role }) => (role === null ? [] : [role])),
  }))
}
