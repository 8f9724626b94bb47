import type { Db } from '../database/database.ts'

/** A saved view of a list as it is kept. */
export interface ListViewRow {
  readonly id: string
  /** Login of the person it belongs to. */
  readonly login: string
  readonly resource: string
  readonly title: string
  /** Parameters of the list, as in an address. */
  readonly query: string
  /** JSON of `[{field, width}]`. */
  readonly columns: string
  readonly layout: string
  /** Role whose people see it too; null = nobody else. */
  readonly shared_with: string | null
  readonly is_default: bigint | number
  readonly created: string
  readonly modified: string
}

const TABLE = 'svc_list_views'

/** Views of somebody, and those that are shared with one of these roles, or with any where no roles are named. */
export async function selectListViews(
  db: Db,
  { login, roles, resource }: { login: string; roles?: readonly string[]; resource?: string },
): Promise<readonly ListViewRow[]> {
  let query = db
    .selectFrom(TABLE)
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('login', '=', login),
        roles ? eb('shared_with', 'in', ['', ...roles]) : eb('shared_with', 'is not', null),
      ]),
    )
  if (resource !== undefined) query = query.where('resource', '=', resource)
  return (await query.orderBy('title').orderBy('id').execute()) as unknown as ListViewRow[]
}

/** Number of the views of somebody. */
export async function countListViews(db: Db, login: string): Promise<number> {
  const row = await db
    .selectFrom(TABLE)
    .select(({ fn }) => fn.countAll().as('n'))
    .where('login', '=', login)
    .executeTakeFirst()
  return Number(row?.n ?? 0)
}

/** Keeps a view; of the default ones of a person and a resource it is the only one. */
export async function saveListView(tx: Db, row: ListViewRow, isNew: boolean): Promise<void> {
  if (Number(row.is_default) === 1) {
    await tx
      .updateTable(TABLE)
      .set({ is_default: 0 })
      .where('login', '=', row.login)
      .where('resource', '=', row.resource)
      .execute()
  }
  if (isNew)
    await tx
      .insertInto(TABLE)
      .values({ ...row })
      .execute()
  else
    await tx
      .updateTable(TABLE)
      .set({ ...row })
      .where('id', '=', row.id)
      .execute()
}

/** Takes a view away. */
export async function removeListView(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom(TABLE).where('id', '=', id).execute()
}

/** Takes the views, settings and notifications of somebody away. */
export async function removeScreensOf(tx: Db, login: string): Promise<void> {
  await tx.deleteFrom(TABLE).where('login', '=', login).execute()
  await tx.deleteFrom('svc_person_settings').where('login', '=', login).execute()
  await tx.deleteFrom('svc_notifications').where('login', '=', login).execute()
}
