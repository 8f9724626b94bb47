import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { RollupPlan } from '../../rules/rollups/rollup-plan.ts'
import { filledTables } from '../../storage/records/filled-tables.ts'
import type { DocTypeParts, Services } from '../work/context.ts'
import { checkBonds } from './verify-bonds.ts'
import { type ComputedCells, computedCells } from './verify-cells.ts'
import { checkInvariant } from './verify-invariants.ts'
import { ledgerChecks } from './verify-ledgers.ts'
import { checkRecords, hasRecordChecks, noRecordsWrong } from './verify-records.ts'
import { rebuildRollups, recordKey, repairRecords } from './verify-repair.ts'
import {
  type Check,
  type CheckKind,
  nothingWrong,
  type Repair,
  type Report,
} from './verify-report.ts'
import { checkRollup, rollupName } from './verify-rollups.ts'

export interface VerifyOptions {
  /** Rebuild what can be rebuilt first, and report what is left. Ledgers are never touched. */
  readonly repair?: boolean
  /** Called with a line about each thing before it is tried, and about each repair. */
  readonly onProgress?: (line: string) => void
  /** Number of differences of one check that are named; all are counted. */
  readonly limit?: number
}

/** Shared parts of the checks of one call. */
interface Verification {
  readonly services: Services
  readonly rollups: readonly RollupPlan[]
  readonly cellsOf: (parts: Pick<DocTypeParts, 'definition'>) => ComputedCells
  readonly limit: number
  readonly onProgress: (line: string) => void
}

/**
 * Recomputes every rollup, ledger balance, invariant, formula and status from the declared expressions and
 * names each difference (rules.md §4.2). It reads beside running writers: each statement sees one moment, and
 * documents that differ are looked at again under lock.
 */
export async function verifyWorkspace(
  services: Services,
  { repair = false, onProgress = () => undefined, limit = 100 }: VerifyOptions = {},
): Promise<Report> {
  const { program } = services
  const { rollups } = program.graph()
  const known = new Map<string, ComputedCells>()
  const cellsOf: Verification['cellsOf'] = ({ definition }) => {
    const cells = known.get(definition.doctype) ?? computedCells(program, definition)
    known.set(definition.doctype, cells)
    return cells
  }
  const verification = { services, rollups, cellsOf, limit, onProgress }
  if (!repair) return verify(verification)
  const repaired = await repairAll(verification)
  return { ...(await verify(verification)), repaired }
}

async function verify(verification: Verification): Promise<Report> {
  const { services, rollups, limit, onProgress } = verification
  const { registry, database } = services
  const tables = registry.all.map(({ table }) => table)
  const filled = await filledTables(database.read, database.kind, tables)
  const checks: Check[] = []
  for (const plan of rollups)
    checks.push(
      await attempt('rollup', rollupName(plan), onProgress, () =>
        checkRollup(services, plan, filled, limit),
      ),
    )
  for (const definition of registry.all) {
    if (definition.behaviour.ledger)
      for (const { name, run } of ledgerChecks(services, services.partsOf(definition), limit))
        checks.push(
          await attempt('ledger', name, onProgress, () =>
            filled.has(definition.table) ? run() : nothingWrong('ledger', name),
          ),
        )
    checks.push(...(await invariantChecks(verification, filled, definition)))
  }
  return { ...(await recordChecks(verification, filled, checks)) }
}

async function invariantChecks(
  { services, limit, onProgress }: Verification,
  filled: ReadonlySet<string>,
  definition: DocTypeDefinition,
): Promise<readonly Check[]> {
  if (!definition.behaviour.invariants) return []
  const checks: Check[] = []
  for (const plan of services.program.behaviourOf(definition).invariants) {
    const name = `${definition.doctype}: ${plan.name}`
    const run = (): Check | Promise<Check> =>
      plan.terms.some(({ origin }) => filled.has(origin.source.table))
        ? checkInvariant(services, definition, plan, limit)
        : nothingWrong('invariant', name)
    checks.push(await attempt('invariant', name, onProgress, run))
  }
  return checks
}

async function recordChecks(
  { services, cellsOf, limit, onProgress }: Verification,
  filled: ReadonlySet<string>,
  before: readonly Check[],
): Promise<Report> {
  const [checks, stale, warnings]: [Check[], Check[], Check[]] = [[...before], [], []]
  const earlier: Check[] = []
  for (const definition of services.registry.all) {
    const parts = services.partsOf(definition)
    if (parts.bonds.length > 0) {
      const bonds = await checkBonds(services, parts, filled, limit)
      if (bonds.differences > 0) warnings.push(bonds)
    }
    const cells = cellsOf({ definition })
    if (!hasRecordChecks(definition, cells)) continue
    onProgress(`${definition.doctype}: formulas and status`)
    const found = filled.has(definition.table)
      ? await checkRecords(services, parts, cells, limit)
      : noRecordsWrong(definition)
    if (cells.cells.length > 0) checks.push(found.computed)
    if (found.stale.differences > 0) stale.push(found.stale)
    if (found.validation.differences > 0) warnings.push(found.validation)
    if (found.earlier.differences > 0) earlier.push(found.earlier)
  }
  return { checks, stale, warnings, earlier }
}

/** Runs a check; one whose statement fails (a division by zero in a damaged row) is a difference, not the end. */
async function attempt(
  kind: CheckKind,
  name: string,
  onProgress: (line: string) => void,
  run: () => Check | Promise<Check>,
): Promise<Check> {
  onProgress(name)
  try {
    return await run()
  } catch (error) {
    const message = `cannot be checked: ${error instanceof Error ? error.message : String(error)}`
    const found = [{ doctype: '', id: '', field: '', stored: null, message }]
    return { kind, name, differences: 1, found }
  }
}

/** Repairs formulas first, since rollups add them up; then rollups, each with the formulas over it. */
async function repairAll(verification: Verification): Promise<Repair> {
  const { services, rollups, cellsOf, onProgress } = verification
  const records = new Set<string>()
  for (const definition of services.registry.all) {
    const parts = services.partsOf(definition)
    const cells = cellsOf(parts)
    if (cells.cells.length === 0 || definition.behaviour.ledger) continue
    const changed = await repairRecords(services, parts, cells)
    if (changed.length > 0)
      onProgress(`computed ${changed.length} of ${definition.labelPlural} again`)
    for (const rid of changed) records.add(recordKey(parts, rid))
  }
  const rebuilt = await rebuildRollups(services, rollups, cellsOf, records, onProgress)
  return { ...rebuilt, records: records.size }
}
