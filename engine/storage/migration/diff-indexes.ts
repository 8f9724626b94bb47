import type { DatabaseKind } from '../database/database.ts'
import { identifierFor } from '../database/identifier.ts'
import type { IndexShape, TableShape } from '../records/shape.ts'
import type { ColumnPlan } from './diff-columns.ts'
import type { ActualIndex, ActualTable } from './introspect.ts'
import { type MigrationStep, type RowCheck, step } from './migration-plan.ts'

/** Prefixes of the engine's own indexes; an operator's indexes have others and stay. */
const OURS = /^[iu]x_/

/** Indexes of a table that is made in the same migration. */
export function planNewIndexes(shape: TableShape): MigrationStep[] {
  return shape.indexes.map((index) => createIndex(shape, index, 'transaction', []))
}

/** Indexes to drop and to build on a table that is there; `columns` is what happens to its columns before. */
export function planIndexes(
  shape: TableShape,
  actual: ActualTable,
  columns: ColumnPlan,
  kind: DatabaseKind,
): { readonly drops: readonly MigrationStep[]; readonly builds: readonly MigrationStep[] } {
  const nullable = nullableColumns(shape)
  const wanted = new Map(shape.indexes.map((index) => [identifierFor(index.name), index]))
  const kept = new Set<string>()
  const drops: MigrationStep[] = []
  for (const index of actual.indexes) {
    if (!OURS.test(index.name)) continue
    const target = wanted.get(index.name)
    if (target && isAlike(index, target, nullable, columns, kind)) kept.add(index.name)
    else {
      const sentence = `drop index ${index.name}`
      drops.push(step(shape.name, sentence, { kind: 'drop-index', index: index.name }))
    }
  }
  const phase = kind === 'postgres' ? 'after' : 'transaction'
  const builds = [...wanted]
    .filter(([name]) => !kept.has(name))
    .map(([, index]) => createIndex(shape, index, phase, uniqueChecks(index, actual, columns)))
  return { drops, builds }
}

function isAlike(
  actual: ActualIndex,
  wanted: IndexShape,
  nullable: readonly string[],
  { nameAfter, converted }: ColumnPlan,
  kind: DatabaseKind,
): boolean {
  const after = (column: string | undefined): string | undefined =>
    column === undefined ? undefined : (nameAfter.get(column) ?? column)
  const nullsFirst = new Set(actual.nullsFirst.map(after))
  return (
    actual.valid &&
    actual.unique === wanted.unique &&
    (wanted.where
      ? actual.whereNotNull !== undefined && !wanted.where.columns.some((one) => converted.has(one))
      : after(actual.whereNotNull) === wanted.whereNotNull) &&
    actual.columns.length === wanted.columns.length &&
    wanted.columns.every(
      (column, position) =>
        after(actual.columns[position]) === column &&
        !converted.has(column) &&
        (kind === 'sqlite' || nullsFirst.has(column) === nullable.includes(column)),
    )
  )
}

/** Checks before a unique index: rows there may hold a value twice; a new column has only one value, or none. */
function uniqueChecks(
  index: IndexShape,
  actual: ActualTable,
  { nameAfter, converted }: ColumnPlan,
): RowCheck[] {
  if (!index.unique) return []
  const before = new Map([...nameAfter].map(([from, to]) => [to, from]))
  const columns = index.columns.flatMap((column) => before.get(column) ?? [])
  if (columns.length < index.columns.length) return []
  const where = index.whereNotNull === undefined ? undefined : before.get(index.whereNotNull)
  // Rows are asked before the migration: then its condition may have no words for them yet.
  if (index.where?.columns.some((column) => before.get(column) !== column || converted.has(column)))
    return []
  return [
    {
      kind: 'duplicates',
      table: actual.name,
      columns,
      ...(where === undefined ? {} : { whereNotNull: where }),
      ...(index.where === undefined ? {} : { where: index.where.sql }),
    },
  ]
}

function nullableColumns({ columns, primaryKey }: TableShape): string[] {
  return columns
    .filter(({ name, notNull }) => !notNull && name !== primaryKey)
    .map(({ name }) => name)
}

function createIndex(
  shape: TableShape,
  index: IndexShape,
  phase: 'transaction' | 'after',
  checks: readonly RowCheck[],
): MigrationStep {
  const named = { ...index, name: identifierFor(index.name) }
  const unique = index.unique ? 'unique index' : 'index'
  const sentence = `create ${unique} ${named.name} on ${shape.name} (${index.columns.join(', ')})`
  const nullable = nullableColumns(shape).filter((column) => index.columns.includes(column))
  const action = { kind: 'create-index', index: named, nullable } as const
  return step(shape.name, sentence, action, { phase, checks })
}
