import type { DatabaseKind } from '../database/database.ts'
import { identifierFor } from '../database/identifier.ts'
import type { ColumnShape, TableShape } from '../records/shape.ts'
import { planColumns } from './diff-columns.ts'
import type { Permissions } from './diff-gone.ts'
import { planIndexes, planNewIndexes } from './diff-indexes.ts'
import type { ActualTable } from './introspect.ts'
import {
  type MigrationPlan,
  type MigrationStep,
  type Refusal,
  type StoredShapes,
  step,
} from './migration-plan.ts'
import { planRenames } from './renames.ts'

export interface PlanOptions extends Permissions {
  readonly kind: DatabaseKind
  /** The shapes of the last migration: they tell what is ours and at which scale values are kept. */
  readonly stored: StoredShapes
}

/**
 * The steps from the actual tables to the wanted ones (rules.md §4.5). Pure: the same input gives the same
 * plan. The column of a field that is gone from the YAML stays as it is, and so does the table of a DocType that is gone:
 * programs with older definitions may be at work beside this one, and what returns finds its values. `retire` sets such
 * columns aside under a name of their own (`_dropped_note_1`), and only `allowDrop` removes either.
 */
export function planMigration(
  wanted: readonly TableShape[],
  actual: ReadonlyMap<string, ActualTable>,
  { kind, stored, ...permissions }: PlanOptions,
): MigrationPlan {
  const { allowDrop = false } = permissions
  const indexDrops: MigrationStep[] = []
  const renames: MigrationStep[] = []
  const changes: MigrationStep[] = []
  const drops: MigrationStep[] = []
  const builds: MigrationStep[] = []
  const waiting: MigrationStep[] = []
  const refused: Refusal[] = wanted.flatMap(longNames)
  const hints: string[] = []
  const gone = new Map<string, readonly ColumnShape[]>()
  const returned: string[] = []

  const tables = planRenames(wanted, new Set(actual.keys()), [...stored.values()])
  for (const { from, to } of tables.renames) {
    renames.push(step(to, `rename table ${from} to ${to}`, { kind: 'rename-table', from }))
  }
  for (const { from, to, reason } of tables.impossible) {
    refused.push({
      table: to,
      sentence: `rename table ${from} to ${to}`,
      reason,
      remedy: `remove renamed_from: ${from}, or remove what stands in the way, start once, then do the rest`,
    })
  }

  const sources = new Map(tables.renames.map(({ from, to }) => [to, from]))
  const moved = new Set(tables.renames.map(({ from }) => from))
  for (const shape of wanted) {
    const source = sources.get(shape.name) ?? (moved.has(shape.name) ? undefined : shape.name)
    const table = source === undefined ? undefined : actual.get(source)
    if (!table) {
      changes.push(
        step(shape.name, `create table ${shape.name}`, { kind: 'create-table', shape }),
        ...planNewIndexes(shape),
      )
      continue
    }
    const columns = planColumns(shape, table, stored.get(table.name), permissions)
    const indexes = planIndexes(shape, table, columns, kind)
    indexDrops.push(...indexes.drops)
    renames.push(...columns.renames)
    changes.push(...columns.changes)
    drops.push(...columns.drops)
    waiting.push(...columns.waiting)
    builds.push(...indexes.builds)
    refused.push(...columns.refused)
    hints.push(...columns.hints)
    if (columns.gone.length > 0) gone.set(shape.name, columns.gone)
    returned.push(...columns.returned.map((name) => `${shape.name}.${name}`))
  }
  const used = new Set([...wanted.map(({ name }) => name), ...moved])
  for (const shape of stored.values()) {
    // The engine's own tables may belong to a part that this process does not run.
    if (shape.system || used.has(shape.name) || !actual.has(shape.name)) continue
    const list = allowDrop && !shape.ledger ? drops : waiting
    list.push(dropTable(shape.name))
  }
  return {
    steps: [...indexDrops, ...renames, ...changes, ...drops, ...builds],
    refused,
    waiting,
    hints,
    gone,
    returned,
  }
}

function dropTable(table: string): MigrationStep {
  const sentence = `drop table ${table} with its rows`
  return step(table, sentence, { kind: 'drop-table' }, { safety: 'destructive' })
}

/** Refusals of names that are too long: PostgreSQL would cut them off without a word, and two could become one. */
function longNames({ name, columns }: TableShape): Refusal[] {
  return [name, ...columns.map((column) => column.name)]
    .filter((identifier) => identifierFor(identifier) !== identifier)
    .map((identifier) => ({
      table: name,
      sentence: `use the name ${identifier}`,
      reason: 'expected at most 63 characters, the most PostgreSQL keeps',
      remedy: 'shorten the name of the DocType or field',
    }))
}
