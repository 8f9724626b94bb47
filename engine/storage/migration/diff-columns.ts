import type { ColumnShape, TableShape } from '../records/shape.ts'
import { type GonePlan, type Permissions, planGone } from './diff-gone.ts'
import { matchColumns } from './diff-matched.ts'
import type { ActualTable } from './introspect.ts'
import { type MigrationStep, type Refusal, type StoredShape, step } from './migration-plan.ts'
import { type PlannedRenames, planRenames } from './renames.ts'
import { newestTombstone } from './tombstone.ts'

export interface ColumnPlan {
  readonly renames: readonly MigrationStep[]
  readonly changes: readonly MigrationStep[]
  readonly drops: readonly MigrationStep[]
  readonly waiting: readonly MigrationStep[]
  readonly refused: readonly Refusal[]
  readonly hints: readonly string[]
  /** New name of each actual column that stays. */
  readonly nameAfter: ReadonlyMap<string, string>
  /** New names of columns whose indexes have to be built again. */
  readonly converted: ReadonlySet<string>
  /** Columns that stay without a field. */
  readonly gone: readonly ColumnShape[]
  /** Wanted columns that have the values of before their field went. */
  readonly returned: readonly string[]
}

/**
 * The steps for the columns of a table that is there (rules.md §4.5). `stored` is its shape at the last
 * migration: a column that is neither in it nor wanted belongs to somebody else and is left alone.
 */
export function planColumns(
  shape: TableShape,
  actual: ActualTable,
  stored: StoredShape | undefined,
  permissions: Permissions,
): ColumnPlan {
  const names = new Set(actual.columns.map(({ name }) => name))
  const planned = planRenames(shape.columns, names, stored?.columns, stored?.gone)
  const renames = planned.renames.map(({ from, to }) => {
    const sentence = `rename column ${shape.name}.${from} to ${to}`
    return step(shape.name, sentence, { kind: 'rename-column', from, to })
  })
  const refused = planned.impossible.map((rename) => impossibleRename(shape.name, rename))
  const matched = matchColumns(shape, actual, stored, planned.renames)
  const { nameAfter, converted, added } = matched
  const key = nameAfter.get(actual.primaryKey ?? '') ?? actual.primaryKey
  if (key !== shape.primaryKey || converted.has(shape.primaryKey))
    refused.push(otherKey(shape, actual))
  const used = new Map([...nameAfter, [shape.primaryKey, shape.primaryKey]])
  const gone = planGone(shape, actual, stored, { ...matched, nameAfter: used }, permissions)
  return {
    renames: [...gone.retired, ...renames, ...matched.renames],
    changes: [...matched.changes, ...gone.changes],
    drops: gone.drops,
    waiting: gone.waiting,
    refused: [...refused, ...matched.refused],
    hints: [
      ...matched.hints,
      ...hints(shape, gone.vanished, added),
      ...lateRenames(shape, names, stored),
    ],
    nameAfter: used,
    converted,
    gone: gone.kept,
    returned: matched.returned,
  }
}

function impossibleRename(
  table: string,
  { from, to, reason }: PlannedRenames['impossible'][number],
): Refusal {
  return {
    table,
    sentence: `rename column ${table}.${from} to ${to}`,
    reason,
    remedy: `remove one of the two fields or the line renamed_from: ${from}, start once, then do the rest`,
  }
}

function otherKey(shape: TableShape, actual: ActualTable): Refusal {
  return {
    table: shape.name,
    sentence: `change the primary key of ${shape.name} to ${shape.primaryKey}`,
    reason: `it is ${actual.primaryKey ?? 'not a single column'}, and rows are told apart by it`,
    remedy: 'export the records, use a new table, import them',
  }
}

/** Hints for a field that came while one of its kind went: it may be the same field under another name. */
function hints(
  shape: TableShape,
  vanished: GonePlan['vanished'],
  added: ReadonlySet<string>,
): string[] {
  return vanished.flatMap(({ name, to, type }) =>
    shape.columns
      .filter((column) => added.has(column.name) && column.type === type)
      .map(
        (column) =>
          `${shape.name}.${column.name} is new while ${name} is gone: if it is the same field, ` +
          `write renamed_from: ${name} at ${column.name}, else its values stay unseen in column ${to}`,
      ),
  )
}

/** Hints for a `renamed_from` that comes too late: the old field went, and the new one came, with an earlier migration. */
function lateRenames(
  shape: TableShape,
  names: ReadonlySet<string>,
  stored: StoredShape | undefined,
): string[] {
  const done = new Map(stored?.columns.map(({ name, renamedFrom }) => [name, renamedFrom]))
  const columns = new Map([...names].map((name) => [name, name]))
  return shape.columns.flatMap(({ name, renamedFrom: from }) => {
    if (from === undefined || done.get(name) === from) return []
    const isLeft = done.has(name) && stored?.gone?.some((one) => one.name === from)
    const where = names.has(from) ? isLeft && from : newestTombstone(from, columns)
    if (!where) return []
    return [
      `${shape.name}.${name} says renamed_from: ${from}, but that field was removed before; its values are in ${where}`,
    ]
  })
}
