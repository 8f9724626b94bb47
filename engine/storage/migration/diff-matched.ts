import type { ColumnShape, TableShape } from '../records/shape.ts'
import { planConversion } from './diff-conversion.ts'
import { planReturn } from './diff-returned.ts'
import type { ActualTable } from './introspect.ts'
import {
  knownColumn,
  type MigrationStep,
  type Refusal,
  type StoredShape,
  step,
} from './migration-plan.ts'
import type { Rename } from './renames.ts'

/** Wanted columns of a table beside those that are there. */
export interface Matched {
  /** Renames of columns that were set aside and return. */
  readonly renames: readonly MigrationStep[]
  readonly changes: readonly MigrationStep[]
  readonly refused: readonly Refusal[]
  readonly hints: readonly string[]
  /** New name of each actual column that is used. */
  readonly nameAfter: ReadonlyMap<string, string>
  /** New names of columns whose indexes have to be built again. */
  readonly converted: ReadonlySet<string>
  /** Wanted columns that are new. */
  readonly added: ReadonlySet<string>
  /** Wanted columns that have the values of before their field went. */
  readonly returned: readonly string[]
  /** Columns without a field that have to give their name to a new one. */
  readonly displaced: ReadonlySet<string>
}

/** Finds for each wanted column what holds its values now, and says what has to change for it. */
export function matchColumns(
  shape: TableShape,
  actual: ActualTable,
  stored: StoredShape | undefined,
  planned: readonly Rename[],
): Matched {
  const renames: MigrationStep[] = []
  const changes: MigrationStep[] = []
  const refused: Refusal[] = []
  const hints: string[] = []
  const converted = new Set<string>()
  const added = new Set<string>()
  const returned: string[] = []
  const displaced = new Set<string>()
  const sourceOf = new Map(planned.map(({ from, to }) => [to, from]))
  const nameAfter = new Map(planned.map(({ from, to }) => [from, to]))
  const columns = new Map(actual.columns.map((column) => [column.name, column]))
  for (const column of shape.columns) {
    const { name } = column
    const source = sourceOf.get(name) ?? (nameAfter.has(name) ? undefined : name)
    // A rename takes the name from a column without a field, which is set aside before.
    if (source !== name && stored?.gone?.some((one) => one.name === name)) displaced.add(name)
    const back = source === name ? planReturn(shape, column, columns, stored) : undefined
    if (back) {
      hints.push(back.hint)
      if (back.step) renames.push(back.step)
      if (back.source) returned.push(name)
      else if (columns.has(name)) displaced.add(name)
    }
    const present = back ? back.source : source === undefined ? undefined : columns.get(source)
    if (!present) {
      added.add(name)
      changes.push(addColumn(shape.name, column))
      if (column.notNull && column.default === undefined)
        refused.push(noDefault(shape.name, column))
      continue
    }
    nameAfter.set(present.name, name)
    const before = knownColumn(stored, present.name)
    const change = planConversion(shape, column, present, actual.name, before)
    if (change === undefined) continue
    if ('reason' in change) refused.push(change)
    else {
      changes.push(change)
      converted.add(name)
    }
  }
  return { renames, changes, refused, hints, nameAfter, converted, added, returned, displaced }
}

function addColumn(table: string, column: ColumnShape): MigrationStep {
  const sentence = `add column ${table}.${column.name} (${column.type})`
  return step(table, sentence, { kind: 'add-column', column })
}

function noDefault(table: string, { name }: ColumnShape): Refusal {
  return {
    table,
    sentence: `add column ${table}.${name}`,
    reason: 'it must be set in every row and has no default for the rows there are',
    remedy: 'give the column a constant default',
  }
}
