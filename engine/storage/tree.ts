import { type RawBuilder, sql } from 'kysely'

/** Records that form a tree by a link of theirs to their parent. */
export interface Tree {
  readonly table: string
  /** Column with the parent's name. */
  readonly parent: string
  /** Only these records are seen; the others end the walk. Over the table's columns without an alias. */
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
