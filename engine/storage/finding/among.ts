import { type RawBuilder, sql } from 'kysely'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Field } from '../../fields/field.ts'
import { anyOf } from '../database/fragment.ts'

/** Records that a field may name: those of a DocType that meet a condition, or all of them. */
export interface Among {
  readonly target: DocTypeDefinition
  readonly limit: RawBuilder<boolean> | undefined
}

/** Condition that a link (or dynamic link) names one of these or nothing; undefined = it holds of all records. */
export function namesAmong(
  { name, linkFrom }: Pick<Field, 'name' | 'linkFrom'>,
  among: readonly Among[],
): RawBuilder<boolean> | undefined {
  const field = sql.ref(name)
  const conditions = [sql<boolean>`${field} is null`]
  const open = among.filter(({ limit }) => limit === undefined).map(({ target }) => target.doctype)
  if (linkFrom === undefined && open.length > 0) return undefined
  if (open.length > 0) conditions.push(sql`${sql.ref(linkFrom!)} in (${sql.join(open)})`)
  for (const { target, limit } of among) {
    if (!limit) continue
    const named = sql<boolean>`${field} in (select "name" from ${sql.table(target.table)} where ${limit})`
    conditions.push(
      linkFrom === undefined ? named : sql`(${sql.ref(linkFrom)} = ${target.doctype} and ${named})`,
    )
  }
  return anyOf(conditions)
}
