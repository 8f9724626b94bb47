import type { ColumnShape, TableShape } from '../records/shape.ts'
import type { ActualColumn } from './introspect.ts'
import {
  type MigrationStep,
  type Refusal,
  type Representation,
  type RowCheck,
  type Safety,
  step,
} from './migration-plan.ts'

/**
 * The step from a present column to the wanted one: its type, its decimal places, whether it may be unset.
 * Undefined when they are alike. `stored` is the column at the last migration, which tells its scale.
 */
export function planConversion(
  shape: TableShape,
  column: ColumnShape,
  present: ActualColumn,
  actualTable: string,
  stored: ColumnShape | undefined,
): MigrationStep | Refusal | undefined {
  const at = `${shape.name}.${column.name}`
  if (present.type === undefined) {
    return {
      table: shape.name,
      sentence: `use column ${at} as ${column.type}`,
      reason: 'it has a type that svc never makes',
      remedy: 'rename or convert that column by hand',
    }
  }
  const to: Representation = { type: column.type, scale: scaleOf(column) }
  const before = stored === undefined ? to.scale : scaleOf(stored)
  const from: Representation = { type: present.type, scale: present.type === 'text' ? 0 : before }
  const checks: RowCheck[] = []
  const words: string[] = []
  let safety: Safety = 'safe'
  const where = { table: actualTable, column: present.name }

  if (from.type !== to.type) {
    words.push(`convert column ${at} from ${described(from)} to ${described(to)}`)
    if (to.type === 'integer') {
      safety = 'destructive'
      checks.push({ kind: 'not-numbers', ...where, scale: to.scale })
    }
  } else if (from.scale !== to.scale && to.type === 'integer') {
    words.push(`convert column ${at} from ${from.scale} to ${to.scale} decimal places`)
    const digits = Math.abs(to.scale - from.scale)
    checks.push({ kind: to.scale > from.scale ? 'too-large' : 'lost-digits', ...where, digits })
  }
  if (column.notNull && !present.notNull && shape.primaryKey !== column.name) {
    words.push(`forbid unset values in ${at}`)
    if (column.default === undefined) checks.push({ kind: 'unset', ...where })
  } else if (!column.notNull && present.notNull && shape.primaryKey !== column.name) {
    words.push(`allow unset values in ${at}`)
  }
  if (words.length === 0) return undefined
  const action = { kind: 'convert-column', column, from, wasNotNull: present.notNull } as const
  return step(shape.name, words.join(', '), action, { safety, checks })
}

function scaleOf({ type, scale = 0 }: ColumnShape): number {
  return type === 'integer' ? scale : 0
}

function described({ type, scale }: Representation): string {
  return scale === 0 ? type : `${type} with ${scale} decimal places`
}
