import type { ColumnShape, TableShape } from '../records/shape.ts'
import { planConversion } from './diff-conversion.ts'
import type { ActualTable } from './introspect.ts'
import { type MigrationStep, type Refusal, step } from './migration-plan.ts'
import { planRenames } from './renames.ts'
import { isTombstone, tombstoneFor } from './tombstone.ts'

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
  /** Wanted columns that are new. */
  readonly added: ReadonlySet<string>
}

/**
 * The steps for the columns of a table that is there (rules.md §4.5). `stored` is its shape at the last
 * migration: a column that is neither in it nor wanted belongs to somebody else and is left alone.
 */
export function planColumns(
  shape: TableShape,
  actual: ActualTable,
  stored: TableShape | undefined,
  allowDrop: boolean,
): ColumnPlan {
  const refused: Refusal[] = []
  const renames: MigrationStep[] = []
  const changes: MigrationStep[] = []
  const converted = new Set<string>()
  const added = new Set<string>()
  const names = new Set(actual.columns.map(({ name }) => name))
  const planned = planRenames(shape.columns, names, stored?.columns)

  for (const { from, to } of planned.renames) {
    const sentence = `rename column ${shape.name}.${from} to ${to}`
    renames.push(step(shape.name, sentence, { kind: 'rename-column', from, to }))
  }
  for (const { from, to, reason } of planned.impossible) {
    refused.push({
      table: shape.name,
      sentence: `rename column ${shape.name}.${from} to ${to}`,
      reason,
      remedy: `remove one of the two fields or the line renamed_from: ${from}, start once, then do the rest`,
    })
  }

  const sourceOf = new Map(planned.renames.map(({ from, to }) => [to, from]))
  const nameAfter = new Map(planned.renames.map(({ from, to }) => [from, to]))
  const columns = new Map(actual.columns.map((column) => [column.name, column]))
  for (const column of shape.columns) {
    const source =
      sourceOf.get(column.name) ?? (nameAfter.has(column.name) ? undefined : column.name)
    const present = source === undefined ? undefined : columns.get(source)
    if (!present) {
      added.add(column.name)
      changes.push(addColumn(shape.name, column))
      if (column.notNull && column.default === undefined)
        refused.push(noDefault(shape.name, column))
      continue
    }
    nameAfter.set(present.name, column.name)
    const before = stored?.columns.find(({ name }) => name === present.name)
    const change = planConversion(shape, column, present, actual.name, before)
    if (change === undefined) continue
    if ('reason' in change) refused.push(change)
    else {
      changes.push(change)
      converted.add(column.name)
    }
  }

  const key = nameAfter.get(actual.primaryKey ?? '') ?? actual.primaryKey
  if (key !== shape.primaryKey || converted.has(shape.primaryKey)) {
    refused.push(otherKey(shape, actual))
  }
  nameAfter.set(shape.primaryKey, shape.primaryKey)

  const gone = planGone(shape, actual, stored, nameAfter, allowDrop)
  return {
    renames: [...gone.retired, ...renames],
    changes,
    drops: gone.drops,
    waiting: gone.waiting,
    refused,
    hints: [...hints(shape, gone.vanished, added), ...lateRenames(shape, names, stored)],
    nameAfter,
    converted,
    added,
  }
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

function otherKey(shape: TableShape, actual: ActualTable): Refusal {
  return {
    table: shape.name,
    sentence: `change the primary key of ${shape.name} to ${shape.primaryKey}`,
    reason: `it is ${actual.primaryKey ?? 'not a single column'}, and rows are told apart by it`,
    remedy: 'export the records, use a new table, import them',
  }
}

/** Columns that nothing wants any more: set aside under another name, or dropped where that is allowed. */
function planGone(
  shape: TableShape,
  actual: ActualTable,
  stored: TableShape | undefined,
  nameAfter: ReadonlyMap<string, string>,
  allowDrop: boolean,
): {
  retired: MigrationStep[]
  drops: MigrationStep[]
  waiting: MigrationStep[]
  vanished: Retired[]
} {
  const retired: MigrationStep[] = []
  const drops: MigrationStep[] = []
  const waiting: MigrationStep[] = []
  const vanished: Retired[] = []
  const taken = new Set([...actual.columns, ...shape.columns].map(({ name }) => name))
  for (const { name, type, notNull } of actual.columns) {
    if (nameAfter.has(name)) continue
    const ours = stored === undefined || stored.columns.some((column) => column.name === name)
    if (isTombstone(name))
      (allowDrop && !shape.ledger ? drops : waiting).push(dropColumn(shape, name))
    else if (!ours) continue
    else if (shape.system) drops.push({ ...dropColumn(shape, name), safety: 'safe' })
    else if (allowDrop && !shape.ledger) drops.push(dropColumn(shape, name))
    else {
      const to = tombstoneFor(name, taken)
      taken.add(to)
      vanished.push({ name, to, type })
      const sentence = `set column ${shape.name}.${name} aside as ${to}: no field uses it`
      const action = { kind: 'retire-column', column: name, to, type, notNull } as const
      retired.push(step(shape.name, sentence, action))
    }
  }
  return { retired, drops, waiting, vanished }
}

interface Retired {
  readonly name: string
  readonly to: string
  readonly type: ColumnShape['type'] | undefined
}

function dropColumn({ name: table }: TableShape, column: string): MigrationStep {
  const sentence = `drop column ${table}.${column} with its values`
  return step(table, sentence, { kind: 'drop-column', column }, { safety: 'destructive' })
}

/** Hints for a field that came while one of its kind went: it may be the same field under another name. */
function hints(
  shape: TableShape,
  vanished: readonly Retired[],
  added: ReadonlySet<string>,
): string[] {
  return vanished.flatMap(({ name, to, type }) =>
    shape.columns
      .filter((column) => added.has(column.name) && column.type === type)
      .map(
        (column) =>
          `${shape.name}.${column.name} is new while ${name} is gone: if it is the same field, ` +
          `write renamed_from: ${name} at ${column.name}, else its values stay unseen in ${to}`,
      ),
  )
}

/** Hints for a `renamed_from` whose old column was set aside by an earlier migration. */
function lateRenames(
  shape: TableShape,
  names: ReadonlySet<string>,
  stored: TableShape | undefined,
): string[] {
  const done = new Map(stored?.columns.map(({ name, renamedFrom }) => [name, renamedFrom]))
  return shape.columns.flatMap(({ name, renamedFrom }) => {
    if (renamedFrom === undefined || names.has(renamedFrom) || done.get(name) === renamedFrom)
      return []
    const aside = [...names].filter((column) => column.startsWith(tombstonePrefix(renamedFrom)))
    return aside.map(
      (tombstone) =>
        `${shape.name}.${name} says renamed_from: ${renamedFrom}, but that field was removed before; ` +
        `its values are in ${tombstone}`,
    )
  })
}

function tombstonePrefix(column: string): string {
  return tombstoneFor(column, new Set()).replace(/1$/, '')
}
