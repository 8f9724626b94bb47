import { sql } from 'kysely'
import type { UserLimit } from '../../engine/access/actor.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Registry } from '../../engine/definition/model/registry.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { treeNames } from '../../engine/storage/finding/tree.ts'

interface LimitRow {
  readonly allow: string
  readonly value: string
  readonly applies_to: string | null
  readonly is_default: bigint | null
  readonly is_alone: bigint | null
}

/** The records somebody is limited to; the DocType is the one that serves user permissions. */
export async function selectLimits(
  db: Db,
  registry: Registry,
  { table }: DocTypeDefinition,
  login: string,
): Promise<readonly UserLimit[]> {
  const { rows } = await sql<LimitRow>`
    select allow, for_value as value, applicable_for as applies_to, is_default, hide_descendants as is_alone
    from ${sql.table(table)} where "user" = ${login} and allow is not null and for_value is not null
    order by rid`.execute(db)
  const limits: UserLimit[] = []
  for (const { allow, value, applies_to, is_default, is_alone } of rows) {
    limits.push({
      allow,
      value,
      names: Number(is_alone) === 1 ? [value] : await namesBelow(db, registry, allow, value),
      isDefault: Number(is_default) === 1,
      ...(applies_to === null ? {} : { appliesTo: applies_to }),
    })
  }
  return limits
}

/** The record and, where its DocType is a tree, all below it. */
async function namesBelow(
  db: Db,
  registry: Registry,
  doctype: string,
  name: string,
): Promise<readonly string[]> {
  const definition = registry.byDoctype(doctype)
  const parent = definition?.tree
  if (!definition || parent === undefined) return [name]
  const { rows } = await sql<{ name: string }>`${treeNames(
    { table: definition.table, parent },
    'descendants',
    name,
  )}`.execute(db)
  return [name, ...rows.map((row) => row.name)]
}
