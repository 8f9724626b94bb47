/** Columns of a unique index that a write ran into, in its order, on either database; undefined for any other error. */
export function uniqueViolation(
  error: unknown,
): { readonly table: string; readonly columns: readonly string[] } | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  if (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    // UNIQUE constraint failed: orders.customer, orders.day
    const named = /failed: (.+)$/.exec(error.message)?.[1]?.split(', ')
    const table = named?.[0]?.split('.')[0]
    if (!named || table === undefined) return undefined
    return { table, columns: named.map((one) => one.slice(table.length + 1)) }
  }
  if (error.code === '23505' && 'table' in error && 'detail' in error) {
    // Key (customer, "order")=(C1, 7) already exists.
    const named = /^Key \((.+?)\)=\(/.exec(String(error.detail))?.[1]
    const columns = named?.split(', ').map((one) => one.replaceAll('"', ''))
    return columns ? { table: String(error.table), columns } : undefined
  }
  return undefined
}

/** Whether a write left a column unset that must be set, on either database. */
export function isUnset(error: unknown, table: string, column: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  if (error.code === 'SQLITE_CONSTRAINT_NOTNULL')
    return error.message.endsWith(`failed: ${table}.${column}`)
  const {
    code,
    table: of,
    column: at,
  } = error as { code?: unknown; table?: unknown; column?: unknown }
  return code === '23502' && of === table && at === column
}
