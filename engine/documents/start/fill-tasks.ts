import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { createProgram, type Program } from '../../rules/program/program.ts'
import { type RollupPlan, runsOf } from '../../rules/rollups/rollup-plan.ts'
import { rowTable } from '../../storage/migration/computed-columns.ts'

/** Something that is filled in the records of one DocType, one after the other. */
export interface FillTask {
  /** What it is, e.g. `formulas of Item`: unique, and the same after the next start. */
  readonly name: string
  readonly definition: DocTypeDefinition
  /** Paths of made columns, `items.item_code__is_stock_item`; none for another kind of task. */
  readonly made: ReadonlySet<string>
  /** Rollups; none where formulas and status alone are computed. */
  readonly rollups: readonly RollupPlan[]
}

/** Everything that has to be filled, in its order. */
export interface FillPlan {
  readonly tasks: readonly FillTask[]
  /** The columns that get other values by it, as `table.column`: those that waited, and what follows from them. */
  readonly columns: ReadonlySet<string>
  readonly program: Program
}

const NONE: ReadonlySet<string> = new Set()

/**
 * The tasks that give columns (`table.column`) their values, and all that follows from these: first what is kept behind
 * links and finds, then formulas, since rollups add them up, then rollups in the order of their dependencies, each with
 * the formulas over it. Ledgers are never touched.
 */
export function fillPlanOf(known: Program, waiting: Iterable<string>): FillPlan {
  const { registry } = known
  // What this asks of all DocTypes, a server that has not compiled it need not keep for good.
  const program = known.isWhole ? known : createProgram(registry)
  const paths = pathsIn(registry.all)
  const first = [...waiting].flatMap((column) => paths.get(column) ?? [])
  const graph = program.graph()
  const affected = graph.follows(first)
  const fillable = registry.all.filter(({ behaviour }) => !behaviour.ledger)
  const columns = new Set(
    [...pathsIn(fillable)].flatMap(([column, path]) => (affected.has(path) ? column : [])),
  )
  const rollups = graph.rollups.filter((plan) => affected.has(pathOf(plan)))
  const tasks: FillTask[] = []
  for (const definition of fillable) {
    const made = madeCells(definition, columns)
    if (made.size > 0) tasks.push(task(definition, 'kept values', made, []))
  }
  for (const definition of fillable)
    if (program.partsOf(definition).rules().nodes.some(isOf(definition, affected)))
      tasks.push(task(definition, 'formulas', NONE, []))
  for (const run of runsOf(rollups)) {
    const { target } = run[0]!
    if (target.behaviour.ledger) continue
    // Where records add up others of their kind, those have to be right before.
    if (run.some(({ source }) => source === target)) {
      for (const plan of run) tasks.push(task(target, `rollup ${plan.field.name}`, NONE, [plan]))
      continue
    }
    const fields = run.map(({ field }) => field.name).join(', ')
    tasks.push(task(target, `rollups (${fields})`, NONE, run))
  }
  return { tasks, columns, program }
}

function task(
  definition: DocTypeDefinition,
  what: string,
  made: ReadonlySet<string>,
  rollups: readonly RollupPlan[],
): FillTask {
  return { name: `${what} of ${definition.doctype}`, definition, made, rollups }
}

function isOf({ doctype }: DocTypeDefinition, affected: ReadonlySet<string>) {
  return ({ path }: { readonly path: string }): boolean => affected.has(`${doctype}.${path}`)
}

/** Path of every column that a field has, by `table.column`: `Sales Order.items.amount`. */
function pathsIn(all: readonly DocTypeDefinition[]): ReadonlyMap<string, string> {
  const paths = new Map<string, string>()
  for (const { doctype, table, fields } of all)
    for (const { name, child } of fields) {
      paths.set(`${table}.${name}`, `${doctype}.${name}`)
      for (const column of child?.fields ?? [])
        paths.set(`${rowTable(table, name)}.${column.name}`, `${doctype}.${name}.${column.name}`)
    }
  return paths
}

function pathOf({ target, targetTable, field }: RollupPlan): string {
  return [target.doctype, ...(targetTable === undefined ? [] : [targetTable]), field.name].join('.')
}

/** The made columns of a DocType among these. */
function madeCells(
  { table, fields }: DocTypeDefinition,
  columns: ReadonlySet<string>,
): ReadonlySet<string> {
  const cells = new Set<string>()
  for (const { name, made, child } of fields) {
    if (made && columns.has(`${table}.${name}`)) cells.add(name)
    for (const column of child?.fields ?? [])
      if (column.made && columns.has(`${rowTable(table, name)}.${column.name}`))
        cells.add(`${name}.${column.name}`)
  }
  return cells
}
