import type { ColumnValue } from '../../fields/field-type.ts'
import type { Db } from '../database/database.ts'
import { chunks } from '../database/texts-by-rows.ts'

/** Values asked for in one statement. */
const AT_ONCE = 500

/**
 * Names of the records whose column has one of these values, by value. The column may be `name` itself; by
 * any other one cancelled documents are not found.
 */
export async function namesBy(
  db: Db,
  table: string,
  column: string,
  values: readonly ColumnValue[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>()
  for (const some of chunks(values, AT_ONCE)) {
    const query = db
      .selectFrom(table)
      .select(['name', `${column} as value`])
      .where(column, 'in', some)
      .orderBy('rid')
    const live = column === 'name' ? query : query.where('docstatus', '<>', 2)
    const rows = await live.execute()
    for (const row of rows) {
      const names = found.get(String(row.value))
      if (names) names.push(String(row.name))
      else found.set(String(row.value), [String(row.name)])
    }
  }
  return found
}
