import { sql } from 'kysely'
import { fold } from '../../expression/run/fold.ts'
import type { Node } from '../../expression/tree/types.ts'
import { column } from '../../rules/base/columns.ts'
import type { QueryPlan } from '../declare/report.ts'
import type { LiveColumn } from './live-columns.ts'
import { quoted, type Run, type Sql, valueSql, visible } from './statement.ts'

/** A column that is a field of the record another column of the same query links to: the name beside the item. */
interface Late {
  readonly column: LiveColumn
  readonly node: Node
  /** The link, and the column that holds it. */
  readonly link: string
  readonly by: string
}

/**
 * Columns of a grouped query that follow from another one through a link: they are looked up once for each group and
 * not for each row, and make no group of their own.
 */
export function lateColumns(
  run: Run,
  { sources, columns: plans }: QueryPlan,
  columns: readonly LiveColumn[],
): Late[] {
  const [source, ...others] = sources
  if (!source || others.length > 0) return []
  const ownOf = (name: string): Node | undefined => {
    const value = source.values.get(name)
    return value && fold(value, run.known)
  }
  return columns.flatMap((column) => {
    const node = column.plan.role === 'value' ? ownOf(column.name) : undefined
    if (node?.node !== 'field' || !source.links.has(node.of)) return []
    const by = plans.find(({ name, role }) => {
      const own = role === 'value' ? ownOf(name) : undefined
      return own?.node === 'field' && own.of === 'doc' && own.name === node.of
    })
    return by ? [{ column, node, link: node.of, by: by.name }] : []
  })
}

/** The groups with these columns beside them. */
export function withLateColumns(
  run: Run,
  { sources }: QueryPlan,
  late: readonly Late[],
  grouped: Sql,
): Sql {
  if (late.length === 0) return grouped
  const links = [...new Map(late.map(({ link, by }) => [link, by]))]
  const joins = links.map(([link, by], index) => {
    const target = sources[0]!.links.get(link)!
    const on = sql.raw(`"l${index}"."name" = "g".${quoted(by)}`)
    return sql`left join ${visible(run, target, `l${index}`)} on ${on}`
  })
  const shown = late.map(({ column: { name }, node, link }) => {
    const alias = `"l${links.findIndex(([one]) => one === link)}".`
    const value = valueSql(run, node, (_of, field) => ({ ...column(alias, field), nullable: true }))
    return sql`${value} as ${sql.ref(name)}`
  })
  return sql`select "g".*, ${sql.join(shown)} from (${grouped}) "g" ${sql.join(joins, sql` `)}`
}
