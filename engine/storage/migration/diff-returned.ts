import type { ColumnShape, TableShape } from '../records/shape.ts'
import type { ActualColumn } from './introspect.ts'
import { type MigrationStep, type StoredShape, step } from './migration-plan.ts'
import { newestTombstone, tombstoneFor } from './tombstone.ts'

/** What becomes of a wanted column that is not among those of the last migration, where its field was there before. */
export interface Return {
  /** Column of now that holds its values from before; undefined where it begins anew. */
  readonly source: ActualColumn | undefined
  /** Step that gives the column with its values the name of its field again. */
  readonly step?: MigrationStep
  readonly hint: string
}

/**
 * A field that returns gets its values back: those of the column it left, else of the newest that was set aside. One of
 * another kind begins anew, and what is there of its name stays aside. Undefined for a field that is new. `actual` are
 * the columns of now whose names are free.
 */
export function planReturn(
  shape: TableShape,
  column: ColumnShape,
  actual: ReadonlyMap<string, ActualColumn>,
  stored: StoredShape | undefined,
): Return | undefined {
  const { name } = column
  const at = `${shape.name}.${name}`
  const isGone = stored?.gone?.some((one) => one.name === name) === true
  const there = isGone ? actual.get(name) : undefined
  if (there && isSameKind(column, there, stored))
    return { source: there, hint: `${at} is back with the values it had` }
  if (there) return { source: undefined, hint: otherKind(at, tombstoneFor(name, actual)) }
  if (actual.has(name)) return undefined
  const aside = newestTombstone(name, actual)
  if (aside === undefined) return undefined
  if (!isSameKind(column, aside, stored))
    return { source: undefined, hint: otherKind(at, aside.name) }
  const sentence = `bring column ${at} back from ${aside.name}`
  const action = { kind: 'rename-column', from: aside.name, to: name } as const
  const hint = `${at} is back with the values that were set aside as ${aside.name}`
  return { source: aside, step: step(shape.name, sentence, action), hint }
}

function otherKind(at: string, where: string): string {
  return `${at} is back as another kind of column and begins without values: those it had are in ${where}`
}

/** Whether values need no change; the decimal places of integers are only known of columns that were noted. */
function isSameKind(
  wanted: ColumnShape,
  { name, type }: ActualColumn,
  stored: StoredShape | undefined,
): boolean {
  if (type !== wanted.type) return false
  const known = stored?.gone?.find((column) => column.name === name)
  return type === 'text' || (known !== undefined && (known.scale ?? 0) === (wanted.scale ?? 0))
}
