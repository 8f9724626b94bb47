import { isoDateTime } from '../../base/clock.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { createProgram } from '../../rules/program/program.ts'
import { noteFilled, readUnfilled } from '../../storage/migration/schema-store.ts'
import { type ComputedCells, computedCells } from '../verify/verify-cells.ts'
import { rebuildRollups, repairRecords } from '../verify/verify-repair.ts'
import type { DocTypeParts, Services } from '../work/context.ts'
import { fillMadeColumns, madeCells } from './made-columns.ts'

/**
 * Gives fields that migrations have added their values, whoever ran them: a rollup and what is kept behind a link are
 * computed for every record, a formula and what a find finds for drafts and master data; submitted documents keep what
 * they were submitted with (rules.md §4.5). Cut off in the middle it is done again by the next start.
 */
export async function fillNewColumns(
  services: Services,
  onProgress: (line: string) => void = () => undefined,
): Promise<void> {
  const { database, clock } = services
  const waiting = await readUnfilled(database.read)
  if (waiting.length === 0) return
  await fill(services, new Set(waiting), onProgress)
  await database.write((tx) => noteFilled(tx, waiting, isoDateTime(clock)))
}

async function fill(
  services: Services,
  added: ReadonlySet<string>,
  onProgress: (line: string) => void,
): Promise<void> {
  const { registry } = services
  // What a migration asks of all DocTypes, a server that has not compiled it need not keep for good.
  const program = services.program.isWhole ? services.program : createProgram(registry)
  const cellsOf = ({ definition }: DocTypeParts): ComputedCells =>
    computedCells(program, definition)
  const plans = program
    .graph()
    .rollups.filter(({ target, targetTable, field }) =>
      added.has(`${tableOf(target, targetTable)}.${field.name}`),
    )
  for (const definition of registry.all) {
    const made = madeCells(definition, added)
    if (made.size === 0 || definition.behaviour.ledger) continue
    const changed = await fillMadeColumns(services, services.partsOf(definition), made)
    if (changed > 0) onProgress(`looked up ${changed} of ${definition.labelPlural}`)
  }
  await rebuildRollups(services, plans, cellsOf, new Set(), onProgress)
  for (const definition of registry.all) {
    if (definition.behaviour.ledger || !hasNewFormula(definition, added)) continue
    const parts = services.partsOf(definition)
    const changed = await repairRecords(services, parts, cellsOf(parts))
    if (changed.length > 0) onProgress(`computed ${changed.length} of ${definition.labelPlural}`)
  }
}

function tableOf({ table }: DocTypeDefinition, rows: string | undefined): string {
  return rows === undefined ? table : `${table}__${rows}`
}

function hasNewFormula(definition: DocTypeDefinition, added: ReadonlySet<string>): boolean {
  const status = definition.behaviour.status?.derive && definition.behaviour.status.field
  return definition.fields.some(
    ({ name, formula, child }) =>
      ((formula !== undefined || name === status) && added.has(`${definition.table}.${name}`)) ||
      child?.fields.some(
        (column) =>
          column.formula !== undefined && added.has(`${tableOf(definition, name)}.${column.name}`),
      ),
  )
}
