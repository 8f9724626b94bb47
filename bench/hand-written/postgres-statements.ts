import type pg from 'pg'

/** Named, so that the server plans it once a connection; names are the texts' own beginnings and lengths. */
export async function run<Row>(
  client: pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const name = `${text.slice(0, 40)}${text.length}`
  return (await client.query({ name, text, values: [...values] })).rows as Row[]
}

/** Adds rows in one statement. */
export function insertInto<Row>(
  client: pg.PoolClient,
  table: string,
  columns: readonly (keyof Row & string)[],
  rows: readonly Row[],
): Promise<unknown[]> {
  const tuples = rows.map(
    (_row, at) => `(${columns.map((_name, column) => `$${at * columns.length + column + 1}`)})`,
  )
  const text = `insert into ${table} (${columns}) values ${tuples}`
  return run(
    client,
    text,
    rows.flatMap((row) => columns.map((column) => row[column])),
  )
}

/** Records that a record links to, by name; they are held, so that nobody deletes one before we commit. */
export async function held<Row extends { readonly name: string }>(
  client: pg.PoolClient,
  columns: readonly string[],
  table: string,
  names: readonly string[],
): Promise<Map<string, Row>> {
  const text = `select ${columns} from ${table} where name = any($1) order by rid for key share`
  const rows = await run<Row>(client, text, [names])
  return new Map(rows.map((row) => [row.name, row]))
}
