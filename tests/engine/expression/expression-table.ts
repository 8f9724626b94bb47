import { CompiledQuery } from 'kysely'
import {
  bindParameters,
  type ColumnOf,
  type SqlFragment,
  sqlText,
} from '../../../engine/expression/sql/sql-fragment.ts'
import { toSqlCondition, toSqlValue } from '../../../engine/expression/sql/to-sql.ts'
import type { ScopeField } from '../../../engine/expression/tree/scope.ts'
import {
  type Environment,
  type EvalValue,
  type FieldValues,
  isText,
  type Node,
} from '../../../engine/expression/tree/types.ts'
import { openDatabase } from '../../../engine/index.ts'
import type { TestDatabase } from '../../helpers/databases.ts'

/** Documents as the rows of a table in a real database, as the engine opens it, and expressions over them. */
export interface ExpressionTable {
  /** The value of the expression for every document, in their order. */
  values(node: Node, environment: Environment): Promise<EvalValue[]>
  /** For which documents, by their place, the condition holds. */
  found(node: Node, environment: Environment): Promise<number[]>
  close(): Promise<void>
}

/** Most values one INSERT binds: SQLite takes fewer than 32,767. */
const BOUND_AT_ONCE = 20_000

const columnOf: ColumnOf = (of, name) =>
  of === 'doc' ? { sql: `"${name}"`, nullable: true } : undefined

/** Fills a table with documents, unset fields as null. */
export async function openTable(
  options: TestDatabase,
  fields: readonly ScopeField[],
  documents: readonly FieldValues[],
): Promise<ExpressionTable> {
  const database = await openDatabase(options)
  const { kind } = database
  const [text, integer] = kind === 'sqlite' ? ['text', 'integer'] : ['text collate "C"', 'bigint']
  const columns = fields.map((field) => `"${field.name}" ${isText(field.kind) ? text : integer}`)
  const perRow = fields.length + 1
  const rowsAtOnce = Math.floor(BOUND_AT_ONCE / perRow)

  await database.write(async (tx) => {
    const run = (sql: string, bound: readonly unknown[]) =>
      tx.executeQuery(CompiledQuery.raw(sql, [...bound]))
    await run(`create table doc (rid integer primary key, ${columns.join(', ')})`, [])
    for (let start = 0; start < documents.length; start += rowsAtOnce) {
      const chunk = documents.slice(start, start + rowsAtOnce)
      const bound = chunk.flatMap((doc, index) => [
        BigInt(start + index),
        ...fields.map(({ name }) => stored(doc[name])),
      ])
      const places = chunk.map((_, row) => {
        const marks = Array.from({ length: perRow }, (_, column) =>
          kind === 'sqlite' ? '?' : `$${row * perRow + column + 1}`,
        )
        return `(${marks.join(', ')})`
      })
      await run(`insert into doc values ${places.join(', ')}`, bound)
    }
  })

  async function select<T>(
    head: string,
    fragment: SqlFragment,
    tail: string,
    environment: Environment,
  ): Promise<readonly T[]> {
    const sql = head + sqlText(fragment, kind) + tail
    const query = CompiledQuery.raw(sql, bindParameters(fragment, environment))
    return (await database.read.executeQuery<T>(query)).rows
  }

  return {
    async values(node, environment) {
      const fragment = toSqlValue(node, kind, columnOf)
      const rows = await select<{ value: unknown }>(
        'select ',
        fragment,
        ' as value from doc order by rid',
        environment,
      )
      return rows.map(({ value }) => computed(value, node))
    },
    async found(node, environment) {
      const condition = toSqlCondition(node, kind, columnOf)
      const rows = await select<{ rid: unknown }>(
        'select rid from doc where ',
        condition,
        ' order by rid',
        environment,
      )
      return rows.map(({ rid }) => Number(rid))
    },
    close: () => database.close(),
  }
}

function stored(value: unknown): string | bigint | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : BigInt(value as bigint)
}

/** A value of the database as JavaScript computes it. */
function computed(value: unknown, node: Node): EvalValue {
  if (isText(node.kind)) return String(value)
  const number = BigInt(String(value))
  if (node.kind === 'bool') return number === 1n
  return node.kind === 'int' ? Number(number) : number
}
