import { type RawBuilder, sql } from 'kysely'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { fold, type Known } from '../../expression/run/fold.ts'
import { isSmall, quickNumber } from '../../expression/run/quick-number.ts'
import type { ColumnOf } from '../../expression/sql/sql-fragment.ts'
import {
  operatorsOf,
  SQLITE_PLAIN,
  SQLITE_QUICK,
  type SqlOperators,
} from '../../expression/sql/sql-operators.ts'
import { toSqlCondition, toSqlValue } from '../../expression/sql/to-sql.ts'
import {
  type Environment,
  isScaled,
  isText,
  type Node,
  type ScalarKind,
} from '../../expression/tree/types.ts'
import type { Value } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import type { DatabaseKind } from '../../storage/database/database.ts'
import { fragmentSql } from '../../storage/database/fragment.ts'
import type { Period } from '../declare/periods.ts'

export type Sql = RawBuilder<unknown>

/** Values of one run that are put into the plans of a report. */
export interface Run {
  readonly kind: DatabaseKind
  readonly known: Known
  readonly environment: Environment
  /** Parameters by their names, as the engine holds values. */
  readonly params: Readonly<Record<string, Value>>
  readonly periods: readonly Period[]
  /** Parameter that names a record of a tree → the names of that and of all below it. */
  readonly below: ReadonlyMap<string, readonly string[]>
  /** The condition on records that the caller may see; undefined = all of them. */
  limit(definition: DocTypeDefinition): RawBuilder<boolean> | undefined
}

/** A value over these columns, with what is known put in. */
export function valueSql(run: Run, node: Node, columns: ColumnOf): Sql {
  const { kind, known, environment } = run
  const folded = fold(node, known)
  const written = (of: Node, by: SqlOperators): Sql =>
    fragmentSql(toSqlValue(of, kind, columns, by), environment)
  const exact = written(folded, operators(kind, folded))
  if (!isScaled(folded.kind)) return exact
  // A column holds what fits 64 bits, on both databases.
  if (kind === 'postgres') return whole(run, exact)
  if (isSmall(folded)) return exact
  const quick = quickNumber(folded)
  if (!quick) return sql`svc_fit(${exact})`
  const value = written(quick, SQLITE_QUICK)
  return sql`case typeof(${value}) when 'integer' then ${value} else svc_fit(${exact}) end`
}

/** A condition; undefined where it always holds, for what is known. */
export function conditionSql(
  run: Run,
  node: Node,
  columns: ColumnOf,
): RawBuilder<boolean> | 'never' | undefined {
  const folded = fold(node, run.known)
  if (folded.node === 'literal') return folded.value === true ? undefined : 'never'
  const { kind, environment } = run
  const condition = toSqlCondition(folded, kind, columns, undefined, operators(kind, folded))
  return fragmentSql(condition, environment)
}

/** SQLite's own arithmetic where no step comes near 64 bits: no quotient, no product of fractions. */
function operators(kind: DatabaseKind, node: Node): SqlOperators {
  return kind === 'sqlite' && isSmall(node) ? SQLITE_PLAIN : operatorsOf(kind)
}

/** The records of a DocType that the caller may see, as a table of a FROM. */
export function visible(run: Run, definition: DocTypeDefinition, alias: string): Sql {
  const limit = run.limit(definition)
  const name = sql.raw(quoted(alias))
  const table = sql.table(definition.table)
  return limit ? sql`(select * from ${table} where ${limit}) ${name}` : sql`${table} ${name}`
}

/** A text that sorts and groups by its bytes, as in the engine. */
export function bytewise(run: Run, kind: ScalarKind, text: string): Sql {
  return sql.raw(run.kind === 'postgres' && isText(kind) ? `${text} collate "C"` : text)
}

/** Number as a 64-bit integer: PostgreSQL adds up bigint as numeric; SQLite fails where a sum would leave 64 bits. */
export function whole(run: Run, value: Sql): Sql {
  return run.kind === 'postgres' ? sql`(${value})::bigint` : value
}

export function quoted(name: string): string {
  return `"${name}"`
}

/** The kind of a column's values in expressions; columns are never of tables or JSON. */
export function scalarKind(type: string): ScalarKind {
  return fieldType(type).kind as ScalarKind
}
