/** Column of a unique index that a write ran into, on either database; undefined for any other error. */
export function uniqueViolation(
  error: unknown,
): { readonly table: string; readonly column: string } | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  if (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    const match = /failed: ([^.]+)\.([^,\s]+)/.exec(error.message)
    return match ? { table: match[1]!, column: match[2]! } : undefined
  }
  if (error.code === '23505' && 'table' in error && 'detail' in error) {
    const match = /^Key \("?([^")]+)"?\)/.exec(String(error.detail))
    return match ? { table: String(error.table), column: match[1]! } : undefined
  }
  return undefined
}
