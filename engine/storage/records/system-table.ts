import type { ColumnShape, TableShape } from './shape.ts'

/** A table of the engine's own. */
export function table(
  name: string,
  primaryKey: string,
  columns: readonly ColumnShape[],
  indexes: TableShape['indexes'] = [],
): TableShape {
  return { name, primaryKey, columns, indexes, system: true }
}

/** Column of text that always has one. */
export function text(name: string): ColumnShape {
  return { name, type: 'text', notNull: true, default: '' }
}

/** Column of text that may be unset. */
export function optionalText(name: string): ColumnShape {
  return { name, type: 'text', notNull: false }
}

/** Column of a whole number that may be unset. */
export function optionalInteger(name: string): ColumnShape {
  return { name, type: 'integer', notNull: false }
}

/** Column of a whole number, 0 unless set. */
export function integer(name: string): ColumnShape {
  return { name, type: 'integer', notNull: true, default: 0 }
}
