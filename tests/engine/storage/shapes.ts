import type { ColumnShape, IndexShape, TableShape } from '../../../engine/storage/records/shape.ts'

/** The shape of a table with `rid` for a key. */
export function table(
  name: string,
  columns: readonly ColumnShape[],
  indexes: readonly IndexShape[] = [],
): TableShape {
  return { name, primaryKey: 'rid', columns, indexes, system: false }
}

/** A text column that may be unset. */
export function text(name: string, more: Partial<ColumnShape> = {}): ColumnShape {
  return { name, type: 'text', notNull: false, ...more }
}

/** An integer column that may be unset. */
export function integer(name: string, more: Partial<ColumnShape> = {}): ColumnShape {
  return { name, type: 'integer', notNull: false, ...more }
}

/** An index over all rows. */
export function index(name: string, columns: readonly string[]): IndexShape {
  return { name, columns, unique: false }
}
