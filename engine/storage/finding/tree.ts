import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/database.ts'

/** Records that form a tree by a link of theirs to their parent. */
export interface Tree {
  readonly table: string
  /** Column with the parent's name. */
  readonly parent: string
  /** Condition on records that are seen; the others end the walk. Over the table's columns without an alias. */
  readonly limit?: RawBuilder<boolean>
}

export type TreeRelation = 'ancestors' | 'descendants' | 'descendants or self'

/**
 * Names of the records above or below one of a tree, as a subquery. A circle of parents ends the walk,
 * because no name is taken twice.
 */
export function treeNames(
  { table, parent, limit }: Tree,
  relation: TreeRelation,
  of: string,
): RawBuilder<unknown> {
  const where = limit ? sql` where ${limit}` : sql``
  const nodes = sql`(select name, ${sql.ref(parent)} as parent from ${sql.table(table)}${where}) as node`
  const walk =
    relation === 'ancestors'
      ? {
          start: sql`select parent from ${nodes} where name = ${of} and parent is not null`,
          step: sql`select node.parent from ${nodes} join walk on node.name = walk.name where node.parent is not null`,
        }
      : {
          start: sql`select name from ${nodes} where ${relation === 'descendants' ? sql`parent` : sql`name`} = ${of}`,
          step: sql`select node.name from ${nodes} join walk on node.parent = walk.name`,
        }
  return sql`with recursive walk(name) as (${walk.start} union ${walk.step}) select name from walk`
}

/** A column that holds names of other records of the same table: their own, or one of their rows. */
export interface SelfLink {
  readonly table: string
  readonly column: string
  /** Child table that has the column. */
  readonly child?: string
}

/**
 * Whether following a link from these records comes to one of that name, in any number of steps. No name is
 * taken twice, so a circle that is there already ends the walk.
 */
export async function leadsTo(
  db: Db,
  { table, column, child }: SelfLink,
  from: readonly string[],
  name: string,
): Promise<boolean> {
  const next = sql.ref(`${child === undefined ? 'd' : 'c'}.${column}`)
  const step =
    child === undefined
      ? sql`select ${next} from walk join ${sql.table(table)} d on d.name = walk.name where ${next} is not null`
      : sql`select ${next} from walk join ${sql.table(table)} d on d.name = walk.name
            join ${sql.table(child)} c on c.parent = d.rid where ${next} is not null`
  const { rows } = await sql<{ name: string }>`
    with recursive walk(name) as (
      select name from ${sql.table(table)} where name in (${sql.join(from)}) union ${step}
    ) select name from walk where name = ${name} limit 1`.execute(db)
  return rows.length > 0
}
