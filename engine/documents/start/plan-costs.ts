import type { Program } from '../../rules/program/program.ts'
import type { Database, DatabaseKind } from '../../storage/database/database.ts'
import type { MigrationResult } from '../../storage/migration/migrate.ts'
import type { MigrationStep } from '../../storage/migration/migration-plan.ts'
import { rowCounter } from '../../storage/migration/table-rows.ts'
import { fillPlanOf } from './fill-tasks.ts'

/** Costs of a step: the lock it takes, the rows of its table now, and the seconds it may take. */
interface Cost {
  readonly lock: string
  readonly rows: number
  readonly seconds: number
}

/** What a migration would cost, as far as the number of rows tells. */
export interface MigrationCosts {
  readonly steps: readonly (Cost & Pick<MigrationStep, 'kind' | 'table' | 'phase' | 'sentence'>)[]
  /** What is given its values afterwards, beside the server. */
  readonly fills: readonly (Cost & { readonly task: string; readonly doctype: string })[]
  readonly seconds: { readonly migrating: number; readonly filling: number }
  /** Sentence about who waits for it. */
  readonly locks: string
}

/** Rows in a second that are written anew, that an index is built of, and that are computed: orders of magnitude. */
const REWRITTEN = 250_000
const INDEXED = 500_000
const COMPUTED = 5_000

const EVERYBODY = {
  sqlite:
    'One transaction: who writes waits until it ends, who reads goes on and sees what was before.',
  postgres:
    'One transaction: a lock that a step takes is held until its end. Each is waited for 5 s at most, and tried again 10 times.',
} as const

/** Works out what a migration would cost that was only planned. It counts rows, and changes nothing. */
export async function costsOf(
  { read, kind }: Database,
  program: Program,
  { steps, unfilled }: Pick<MigrationResult, 'steps' | 'unfilled'>,
): Promise<MigrationCosts> {
  const rowsOf = rowCounter(read, kind)
  const renamed = new Map(
    steps.flatMap((step) => (step.kind === 'rename-table' ? [[step.table, step.from]] : [])),
  )
  const costs: MigrationCosts['steps'][number][] = []
  for (const step of steps) {
    const { kind: what, table, phase, sentence } = step
    const rows = what === 'create-table' ? 0 : await rowsOf(renamed.get(table) ?? table)
    const seconds = rows / rateOf(step, kind)
    costs.push({ kind: what, table, phase, sentence, lock: lockOf(step, kind), rows, seconds })
  }
  const fills: MigrationCosts['fills'][number][] = []
  const { tasks } = unfilled.length === 0 ? { tasks: [] } : fillPlanOf(program, unfilled)
  for (const { name, definition } of tasks) {
    const rows = await rowsOf(definition.table)
    const lock = kind === 'sqlite' ? 'the writer, page by page' : 'row locks, page by page'
    fills.push({ task: name, doctype: definition.doctype, lock, rows, seconds: rows / COMPUTED })
  }
  const sum = (list: readonly Cost[]): number => list.reduce((all, { seconds }) => all + seconds, 0)
  return {
    steps: costs,
    fills,
    seconds: { migrating: sum(costs), filling: sum(fills) },
    locks: EVERYBODY[kind],
  }
}

function lockOf({ kind: what, phase, table }: MigrationStep, kind: DatabaseKind): string {
  if (kind === 'sqlite') return 'the writer'
  if (what === 'create-table') return 'none'
  if (what !== 'create-index') return `access exclusive on ${table}`
  return phase === 'after' ? `share update exclusive on ${table}, after it` : `share on ${table}`
}

/** Rows of its table that a step gets through in a second. */
function rateOf(step: MigrationStep, kind: DatabaseKind): number {
  if (step.kind === 'create-index') return INDEXED
  if (step.kind === 'convert-column') return REWRITTEN
  // SQLite writes the table anew where PostgreSQL changes its catalogue.
  const isAnew = step.kind === 'drop-column' || (step.kind === 'retire-column' && step.notNull)
  return isAnew && kind === 'sqlite' ? REWRITTEN : Number.POSITIVE_INFINITY
}
