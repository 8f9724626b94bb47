import type BetterSqlite3 from 'better-sqlite3'

/** SQL of what each column takes; `n.n` is the number of the row, from 1 on. */
type Values = Readonly<Record<string, string>>

/** Writes many rows straight into the tables of a database. */
export interface RowCopier {
  /** Copies the first row that `where` finds once for each number up to `count`, with some columns changed. */
  copy(table: string, where: string, count: number, changed: Values, join?: string): void
  /** Rows of these columns alone, one for each number up to `count`. */
  add(table: string, count: number, values: Values): void
}

/** A copier of up to `most` rows at a time. */
export function rowCopier(database: BetterSqlite3.Database, most: number): RowCopier {
  database.pragma('synchronous = off')
  database.pragma('cache_size = -262144')
  database.exec(
    `create temp table n as with recursive n(n) as (select 1 union all select n + 1 from n where n < ${Math.ceil(most)}) select n from n`,
  )
  const columnsOf = (table: string): string[] =>
    (database.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name)
  const insert = (table: string, columns: readonly string[], rest: string): void => {
    database.exec(`insert into ${table} (${columns.map((name) => `"${name}"`).join(', ')}) ${rest}`)
  }
  return {
    copy(table, where, count, changed, join = '') {
      const columns = columnsOf(table).filter((name) => name !== 'rid' || 'rid' in changed)
      const values = columns.map((name) => changed[name] ?? `t."${name}"`)
      insert(
        table,
        columns,
        `select ${values.join(', ')} from (select * from ${table} t where ${where} limit 1) t
         join n ${join} where n.n <= ${count}`,
      )
    },
    add(table, count, values) {
      insert(
        table,
        Object.keys(values),
        `select ${Object.values(values).join(', ')} from n where n.n <= ${count}`,
      )
    },
  }
}
