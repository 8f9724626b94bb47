import { hash } from 'node:crypto'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Field } from '../../fields/field.ts'
import type { Db } from '../database/database.ts'
import type { MigrationPlan } from './migration-plan.ts'
import { readRow, writeRow } from './schema-store.ts'

/** Columns whose stored values follow from what their definitions say, as `table.column`. */
export type ComputedColumns = ReadonlyMap<string, ComputedColumn>

export interface ComputedColumn {
  /** Checksum of what computes it; another one means that stored values may not be what it says now. */
  readonly digest: string
  /** The column it is renamed from, if it is. */
  readonly renamedFrom?: string
}

/** Moments at which columns began to be computed as they are now, ISO, by column; those that always were are absent. */
export type ComputedSince = ReadonlyMap<string, string>

/** A column as the row of `svc_schema` has it. */
interface Noted {
  readonly digest: string
  readonly since?: string
}

/** Name of the row of `svc_schema` that has what computed columns were computed by: `{"items.margin": {"digest": "…"}}`. */
const ROW = '#computed'

/** Name of the table that a table field's rows are kept in. */
export function rowTable(table: string, field: string | undefined): string {
  return field === undefined ? table : `${table}__${field}`
}

/**
 * The columns whose stored values follow their definitions: formulas, rollups, derived statuses, and what the loader
 * keeps behind links and finds. What a fetch, look-up or default of an author took once is a fact of that moment.
 */
export function computedColumns(definitions: readonly DocTypeDefinition[]): ComputedColumns {
  const columns = new Map<string, ComputedColumn>()
  const add = (table: string, field: Field, status?: object): void => {
    const said = saidOf(field) ?? status
    if (said === undefined) return
    const { renamedFrom: from } = field
    columns.set(`${table}.${field.name}`, {
      digest: hash('sha256', JSON.stringify(said)).slice(0, 16),
      ...(from === undefined ? {} : { renamedFrom: `${table}.${from}` }),
    })
  }
  for (const { table, fields, behaviour } of definitions) {
    const { status } = behaviour
    for (const field of fields) {
      add(table, field, status?.derive && status.field === field.name ? status.derive : undefined)
      for (const column of field.child?.fields ?? []) add(rowTable(table, field.name), column)
    }
  }
  return columns
}

function saidOf({ formula, rollup, made, fetch, lookup }: Field): object | undefined {
  if (formula !== undefined) return { formula }
  if (rollup) return { rollup }
  return made ? { fetch, lookup } : undefined
}

/** Steps of a migration, as far as they decide what waits for values. */
type Steps = Pick<MigrationPlan, 'steps' | 'returned'>

/** Columns as they are computed from now on, beside what was noted of them. */
interface Compared {
  readonly noted: Readonly<Record<string, Noted>>
  readonly changed: readonly string[]
  /** What was noted before. */
  readonly text: string | undefined
}

/**
 * Writes down what columns are computed by from now on. Returns those whose stored values may be others: they were
 * computed by something else before, are new in a table that was there, or are used again.
 */
export async function noteComputed(
  tx: Db,
  columns: ComputedColumns,
  steps: Steps,
  at: string,
): Promise<readonly string[]> {
  const { noted, changed, text } = compared(await readRow(tx, ROW), columns, steps, at)
  const now = JSON.stringify(noted)
  if (now !== text) await writeRow(tx, ROW, now, at)
  return changed
}

/** The columns that `noteComputed` would return, in a database that a migration has been run in before. */
export async function changedColumns(
  db: Db,
  columns: ComputedColumns,
  steps: Steps,
): Promise<readonly string[]> {
  return compared(await readRow(db, ROW), columns, steps, '').changed
}

function compared(
  text: string | undefined,
  columns: ComputedColumns,
  { steps, returned }: Steps,
  at: string,
): Compared {
  const before = new Map<string, Noted>(text === undefined ? [] : Object.entries(JSON.parse(text)))
  const made = new Set(steps.flatMap((step) => (step.kind === 'create-table' ? step.table : [])))
  const others = new Set(returned)
  for (const step of steps)
    if (step.kind === 'add-column') others.add(`${step.table}.${step.column.name}`)
  const noted: Record<string, Noted> = {}
  const changed: string[] = []
  for (const [column, { digest, renamedFrom = '' }] of columns) {
    const known = before.get(column) ?? before.get(renamedFrom)
    const [table = ''] = column.split('.')
    const isOther = known ? known.digest !== digest : text !== undefined && !made.has(table)
    const isChanged = isOther || others.has(column)
    noted[column] = isChanged ? { digest, since: at } : { ...known, digest }
    if (isChanged) changed.push(column)
  }
  return { noted, changed, text }
}

/** The moments since which columns are computed as they are. */
export async function readComputedSince(db: Db): Promise<ComputedSince> {
  const text = await readRow(db, ROW)
  const noted = Object.entries<Noted>(text === undefined ? {} : JSON.parse(text))
  return new Map(
    noted.flatMap(([column, { since }]) => (since === undefined ? [] : [[column, since]])),
  )
}
