/** Makes rows of the values of these columns, in their order: all of one shape, which V8 has good use for. */
export function rowMaker(
  columns: readonly string[],
): (values: readonly unknown[]) => Record<string, unknown> {
  return (values) => {
    const row: Record<string, unknown> = {}
    for (let at = 0; at < columns.length; at += 1) row[columns[at]!] = values[at]
    return row
  }
}
