import type { ColumnShape, TableShape } from '../records/shape.ts'
import { planConversion } from './diff-conversion.ts'
import type { Matched } from './diff-matched.ts'
import type { ActualColumn, ActualTable } from './introspect.ts'
import { knownColumn, type MigrationStep, type StoredShape, step } from './migration-plan.ts'
import { isTombstone, tombstoneFor } from './tombstone.ts'

/** Permissions of who migrates by hand: to set columns aside, and to remove what nothing uses. */
export interface Permissions {
  readonly retire?: boolean
  readonly allowDrop?: boolean
}

/** Plan for the columns of a table that no field uses any more. */
export interface GonePlan {
  readonly retired: readonly MigrationStep[]
  readonly changes: readonly MigrationStep[]
  readonly drops: readonly MigrationStep[]
  /** Steps that wait for `--retire` or `--allow-drop`. */
  readonly waiting: readonly MigrationStep[]
  /** Columns whose field is gone with this migration, and where their values are from now on. */
  readonly vanished: readonly Vanished[]
  /** Columns that stay without a field, set aside or not: a later migration knows them by this. */
  readonly kept: readonly ColumnShape[]
}

interface Vanished {
  readonly name: string
  readonly to: string
  readonly type: ColumnShape['type'] | undefined
}

/**
 * The steps for columns that no field uses any more (docs/decisions/0056). They stay as they are, so that an older
 * program beside this one goes on and a field that returns finds its values; only one that must be set may be unset from
 * now on, as rows without the field leave it. `nameAfter` has the columns that are used, `displaced` those whose name
 * another one gets.
 */
export function planGone(
  shape: TableShape,
  actual: ActualTable,
  stored: StoredShape | undefined,
  { nameAfter, displaced }: Pick<Matched, 'nameAfter' | 'displaced'>,
  { retire = false, allowDrop = false }: Permissions,
): GonePlan {
  const retired: MigrationStep[] = []
  const changes: MigrationStep[] = []
  const drops: MigrationStep[] = []
  const waiting: MigrationStep[] = []
  const vanished: Vanished[] = []
  const kept: ColumnShape[] = []
  const taken = new Set([...actual.columns, ...shape.columns].map(({ name }) => name))
  for (const column of actual.columns) {
    const { name, type } = column
    const known = knownColumn(stored, name)
    const isOurs = stored === undefined || known !== undefined || isTombstone(name)
    if (nameAfter.has(name) || !isOurs) continue
    const drop = dropColumn(shape, name)
    if (shape.system) drops.push({ ...drop, safety: 'safe' })
    else if (allowDrop && !shape.ledger && !displaced.has(name)) drops.push(drop)
    else if (isTombstone(name)) {
      waiting.push(drop)
      kept.push(keptShape(column, known))
    } else {
      const to = tombstoneFor(name, taken)
      const aside = retireColumn(shape, column, to)
      const isAside = retire || displaced.has(name)
      const stays = isAside ? to : name
      if (isAside) retired.push(aside)
      else {
        changes.push(...allowUnset(shape, actual, column))
        waiting.push(aside, ...(shape.ledger ? [] : [drop]))
      }
      taken.add(stays)
      kept.push({ ...keptShape(column, known), name: stays })
      if (!stored?.gone?.some((one) => one.name === name)) vanished.push({ name, to: stays, type })
    }
  }
  return { retired, changes, drops, waiting, vanished, kept }
}

function keptShape(column: ActualColumn, known: ColumnShape | undefined): ColumnShape {
  const { scale = 0 } = known ?? {}
  return { ...freed(column), ...(scale === 0 ? {} : { scale }) }
}

function retireColumn(
  { name: table }: TableShape,
  { name: column, type, notNull }: ActualColumn,
  to: string,
): MigrationStep {
  const sentence = `set column ${table}.${column} aside as ${to}: no field uses it`
  return step(table, sentence, { kind: 'retire-column', column, to, type, notNull })
}

function dropColumn({ name: table }: TableShape, column: string): MigrationStep {
  const sentence = `drop column ${table}.${column} with its values`
  return step(table, sentence, { kind: 'drop-column', column }, { safety: 'destructive' })
}

/** Step after which a column that must be set may be unset. */
function allowUnset(
  shape: TableShape,
  actual: ActualTable,
  column: ActualColumn,
): readonly MigrationStep[] {
  if (!column.notNull || column.type === undefined) return []
  const change = planConversion(shape, freed(column), column, actual.name, undefined)
  return change === undefined || 'reason' in change ? [] : [change]
}

function freed({ name, type = 'text' }: ActualColumn): ColumnShape {
  return { name, type, notNull: false }
}
