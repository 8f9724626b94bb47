import { identifierFor } from './identifier.ts'
import type { ActualTable } from './introspect.ts'
import type { ColumnShape, IndexShape, TableShape } from './shape.ts'

/** One step of a migration, as data; `sentence` says it to a person. */
export type MigrationStep = { readonly table: string; readonly sentence: string; readonly safety: Safety } & (
  | { readonly kind: 'create-table'; readonly shape: TableShape }
  | { readonly kind: 'rename-table'; readonly from: string }
  | { readonly kind: 'add-column'; readonly column: ColumnShape }
  | { readonly kind: 'rename-column'; readonly from: string; readonly to: string }
  | { readonly kind: 'retype-column'; readonly shape: TableShape; readonly column: ColumnShape }
  | { readonly kind: 'rescale-column'; readonly column: string; readonly from: number; readonly to: number }
  | { readonly kind: 'retire-column'; readonly column: string; readonly to: string }
  | { readonly kind: 'drop-column'; readonly column: string }
  | { readonly kind: 'drop-table' }
  | { readonly kind: 'create-index'; readonly index: IndexShape; readonly primaryKey: string }
  | { readonly kind: 'drop-index'; readonly index: string }
)

/** `destructive` steps lose data and wait for `--allow-drop`. */
export type Safety = 'safe' | 'destructive'

/** What the last migration wanted: tells a renamed or retired field from a foreign column. */
export type StoredShapes = ReadonlyMap<string, TableShape>

const TOMBSTONE = '_dropped_'

/**
 * The steps from the actual tables to the wanted ones (rules.md §4.5), in the order to run them. Pure: the
 * same input gives the same plan. A field that is gone from the YAML is retired: its column is kept under
 * another name, so that a later field of the same name never inherits its values, and only `--allow-drop`
 * removes it.
 */
export function planMigration(
  wanted: readonly TableShape[],
  actual: ReadonlyMap<string, ActualTable>,
  stored: StoredShapes,
): readonly MigrationStep[] {
  const steps: MigrationStep[] = []
  for (const shape of wanted) {
    const { renamedFrom } = shape
    const renamed = actual.has(shape.name) || renamedFrom === undefined ? undefined : actual.get(renamedFrom)
    if (renamed) {
      const sentence = `rename table ${renamedFrom} to ${shape.name}`
      steps.push({ kind: 'rename-table', table: shape.name, from: renamed.name, safety: 'safe', sentence })
    }
    const table = actual.get(shape.name) ?? renamed
    if (!table) {
      steps.push({ kind: 'create-table', table: shape.name, shape, safety: 'safe', sentence: `create table ${shape.name}` })
      steps.push(...shape.indexes.map((index) => createIndex(shape, index)))
      continue
    }
    const columns = columnSteps(shape, table, stored.get(table.name))
    steps.push(...columns, ...indexSteps(shape, table, columns))
  }
  steps.push(...goneTables(wanted, actual, stored))
  return steps
}

function columnSteps(shape: TableShape, table: ActualTable, stored: TableShape | undefined): MigrationStep[] {
  const steps: MigrationStep[] = []
  const actual = new Map(table.columns.map((column) => [column.name, column]))
  const wanted = new Set([shape.primaryKey, ...shape.columns.map(({ name }) => name)])
  const renamed = new Set<string>()
  for (const column of shape.columns) {
    const there = actual.get(column.name)
    const from = column.renamedFrom
    if (!there && from !== undefined && actual.has(from) && !wanted.has(from)) {
      renamed.add(from)
      steps.push({
        kind: 'rename-column', table: shape.name, from, to: column.name, safety: 'safe',
        sentence: `rename column ${shape.name}.${from} to ${column.name}`,
      })
    }
    const present = there ?? (from !== undefined && renamed.has(from) ? actual.get(from) : undefined)
    if (!present) steps.push(addColumn(shape.name, column))
    else steps.push(...typeSteps(shape, column, present.type, storedColumn(stored, column)))
  }
  for (const { name } of table.columns) {
    if (wanted.has(name) || renamed.has(name)) continue
    if (name.startsWith(TOMBSTONE)) {
      steps.push({ kind: 'drop-column', table: shape.name, column: name, safety: 'destructive', sentence: `drop column ${shape.name}.${name}` })
    } else if (stored?.columns.some((column) => column.name === name)) {
      steps.unshift(retire(shape.name, name, table))
    }
  }
  return steps
}

function storedColumn(stored: TableShape | undefined, { name, renamedFrom }: ColumnShape): ColumnShape | undefined {
  return stored?.columns.find((column) => column.name === name) ?? stored?.columns.find((column) => column.name === renamedFrom)
}

function typeSteps(shape: TableShape, column: ColumnShape, actual: 'text' | 'integer' | undefined, before: ColumnShape | undefined): MigrationStep[] {
  if (actual !== undefined && actual !== column.type) {
    return [{
      kind: 'retype-column', table: shape.name, shape, column, safety: 'safe',
      sentence: `change column ${shape.name}.${column.name} from ${actual} to ${column.type}`,
    }]
  }
  if (before?.scale === undefined || column.scale === undefined || before.scale === column.scale) return []
  return [{
    kind: 'rescale-column', table: shape.name, column: column.name, from: before.scale, to: column.scale, safety: 'safe',
    sentence: `keep ${column.scale} instead of ${before.scale} decimals in ${shape.name}.${column.name}`,
  }]
}

function addColumn(table: string, column: ColumnShape): MigrationStep {
  return { kind: 'add-column', table, column, safety: 'safe', sentence: `add column ${table}.${column.name} (${column.type})` }
}

function retire(table: string, column: string, { columns }: ActualTable): MigrationStep {
  let number = 1
  while (columns.some(({ name }) => name === `${TOMBSTONE}${column}_${number}`)) number += 1
  const to = identifierFor(`${TOMBSTONE}${column}_${number}`)
  return {
    kind: 'retire-column', table, column, to, safety: 'safe',
    sentence: `retire column ${table}.${column}: its values are kept as ${to} (say renamed_from: ${column} at the new field to rename it instead)`,
  }
}

function indexSteps(shape: TableShape, table: ActualTable, columns: readonly MigrationStep[]): MigrationStep[] {
  const steps: MigrationStep[] = []
  const wanted = new Map(shape.indexes.map((index) => [identifierFor(index.name), index]))
  // A rebuilt or renamed column takes its index's name with it, so those indexes are made anew.
  const touched = new Set(columns.flatMap((step) => touchedColumns(step)))
  const stale = (name: string): boolean => wanted.get(name)?.columns.some((column) => touched.has(column)) ?? true
  for (const { name, valid } of table.indexes) {
    if (!/^[iu]x_/.test(name)) continue
    if (valid && !stale(name)) continue
    steps.push({ kind: 'drop-index', table: shape.name, index: name, safety: 'safe', sentence: `drop index ${name}` })
  }
  const kept = new Set(table.indexes.filter(({ name, valid }) => valid && !stale(name)).map(({ name }) => name))
  for (const [name, index] of wanted) if (!kept.has(name)) steps.push(createIndex(shape, index))
  return steps
}

function touchedColumns(step: MigrationStep): string[] {
  if (step.kind === 'rename-column') return [step.from, step.to]
  if (step.kind === 'retype-column') return step.shape.columns.map(({ name }) => name)
  return step.kind === 'retire-column' ? [step.column] : []
}

function createIndex({ name: table, primaryKey }: TableShape, index: IndexShape): MigrationStep {
  const unique = index.unique ? 'unique ' : ''
  return {
    kind: 'create-index', table, index, primaryKey, safety: 'safe',
    sentence: `create ${unique}index ${identifierFor(index.name)} on ${table} (${index.columns.join(', ')})`,
  }
}

/** Tables the last migration made and no definition wants any more. */
function goneTables(wanted: readonly TableShape[], actual: ReadonlyMap<string, ActualTable>, stored: StoredShapes): MigrationStep[] {
  const names = new Set(wanted.flatMap(({ name, renamedFrom }) => [name, renamedFrom]))
  return [...stored.keys()]
    .filter((name) => !names.has(name) && actual.has(name))
    .map((table) => ({ kind: 'drop-table', table, safety: 'destructive', sentence: `drop table ${table}` }))
}
