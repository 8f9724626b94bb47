import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { RollupPlan } from '../../rules/rollups/rollup-plan.ts'
import { countWritten } from '../../storage/finding/changed-tables.ts'
import type { Point } from '../../storage/finding/logged-changes.ts'
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
import { isTouched, type Scope, scopeOf } from './verify-scope.ts'

export interface VerifyOptions {
  /** Rebuild what can be rebuilt first, and report what is left. Ledgers are never touched. */
  readonly repair?: boolean
  /** Called with a line about each thing before it is tried, and about each repair. */
  readonly onProgress?: (line: string) => void
  /** Number of differences of one check that are named; all are counted. */
  readonly limit?: number
  /** Looks at what was written after this alone, and at what follows from it; at all where the log does not reach so far. */
  readonly since?: Point | undefined
  /** Which checks are made; all of them where it is left out. */
  readonly only?: Only | undefined
  /** Called with the number of records each time some have been looked at, and waited for. */
  readonly onDocuments?: (count: number) => void | Promise<void>
}

/** Choice of checks: those of these kinds, of these DocTypes; an empty list is no condition. */
export interface Only {
  readonly kinds: readonly CheckKind[]
  readonly doctypes: readonly string[]
}

/** Shared parts of the checks of one call. */
interface Verification {
  readonly services: Services
  readonly rollups: readonly RollupPlan[]
  readonly cellsOf: (parts: Pick<DocTypeParts, 'definition'>) => ComputedCells
  readonly limit: number
  readonly wants: (kind: CheckKind, doctype: string) => boolean
  readonly onProgress: (line: string) => void
  readonly onDocuments: (count: number) => void | Promise<void>
}

/**
 * Recomputes every rollup, ledger balance, invariant, formula and status from the declared expressions and
 * names each difference (rules.md §4.2). It reads beside running writers: each statement sees one moment, and
 * documents that differ are looked at again under lock.
 */
export async function verifyWorkspace(
  services: Services,
  {
    repair = false,
    onProgress = () => undefined,
    onDocuments = () => undefined,
    limit = 100,
    since,
    only,
  }: VerifyOptions = {},
): Promise<Report> {
  const { program } = services
  const { rollups } = program.graph()
  const known = new Map<string, ComputedCells>()
  const cellsOf: Verification['cellsOf'] = ({ definition }) => {
    const cells = known.get(definition.doctype) ?? computedCells(program, definition)
    known.set(definition.doctype, cells)
    return cells
  }
  const wants: Verification['wants'] = (kind, doctype) =>
    !only ||
    ((only.kinds.length === 0 || only.kinds.includes(kind)) &&
      (only.doctypes.length === 0 || only.doctypes.includes(doctype)))
  const verification = { services, rollups, cellsOf, limit, wants, onProgress, onDocuments }
  const repaired = repair ? await repairAll(verification) : undefined
  // What a repair has written is as new as anything: everything is looked at then.
  const scope = await scopeOf(services, repair ? undefined : since)
  const report = await verify(verification, scope)
  return { ...report, ...(repaired ? { repaired } : {}) }
}

async function verify(verification: Verification, scope: Scope): Promise<Report> {
  const { services, rollups, limit, wants, onProgress } = verification
  const checks: Check[] = []
  for (const plan of rollups)
    if (wants('rollup', plan.target.doctype))
      checks.push(
        await attempt('rollup', rollupName(plan), onProgress, () =>
          checkRollup(services, plan, scope, limit),
        ),
      )
  for (const definition of services.registry.all) {
    checks.push(...(await checksOfLedger(verification, scope, definition)))
    checks.push(...(await invariantChecks(verification, scope, definition)))
  }
  return recordChecks(verification, scope, checks)
}

async function checksOfLedger(
  { services, limit, wants, onProgress }: Verification,
  scope: Scope,
  definition: DocTypeDefinition,
): Promise<readonly Check[]> {
  if (!definition.behaviour.ledger || !wants('ledger', definition.doctype)) return []
  const checks: Check[] = []
  for (const one of ledgerChecks(services, services.partsOf(definition), scope, limit)) {
    const { name, isOfVouchers = false, run } = one
    const mayDiffer =
      scope.filled.has(definition.table) || (isOfVouchers && scope.from !== undefined)
    checks.push(
      await attempt('ledger', name, onProgress, () =>
        mayDiffer ? run() : nothingWrong('ledger', name),
      ),
    )
  }
  return checks
}

async function invariantChecks(
  { services, limit, wants, onProgress }: Verification,
  scope: Scope,
  definition: DocTypeDefinition,
): Promise<readonly Check[]> {
  if (!definition.behaviour.invariants || !wants('invariant', definition.doctype)) return []
  const checks: Check[] = []
  for (const plan of services.program.behaviourOf(definition).invariants) {
    const name = `${definition.doctype}: ${plan.name}`
    const run = (): Check | Promise<Check> =>
      plan.terms.some(({ origin }) => isTouched(scope, origin.source.table))
        ? checkInvariant(services, definition, plan, limit)
        : nothingWrong('invariant', name)
    checks.push(await attempt('invariant', name, onProgress, run))
  }
  return checks
}

async function recordChecks(
  { services, cellsOf, limit, wants, onProgress, onDocuments }: Verification,
  scope: Scope,
  before: readonly Check[],
): Promise<Report> {
  const [checks, stale, warnings]: [Check[], Check[], Check[]] = [[...before], [], []]
  const earlier: Check[] = []
  const { filled, from } = scope
  let documents = 0
  const count = (more: number): void | Promise<void> => {
    documents += more
    return onDocuments(more)
  }
  for (const definition of services.registry.all) {
    const { doctype, table } = definition
    const parts = services.partsOf(definition)
    if (parts.bonds.length > 0 && wants('validation', doctype)) {
      const bonds = await checkBonds(services, parts, scope, limit)
      if (bonds.differences > 0) warnings.push(bonds)
    }
    const cells = cellsOf({ definition })
    if (!hasRecordChecks(definition, cells)) {
      if (filled.has(table) && wants('computed', doctype))
        await count(await countWritten(services.database.read, table, from))
      continue
    }
    if (!wants('computed', doctype) && !wants('validation', doctype)) continue
    onProgress(`${doctype}: formulas and status`)
    const found = filled.has(table)
      ? await checkRecords(services, parts, cells, { limit, from, onDocuments: count })
      : noRecordsWrong(definition)
    const isComputed = wants('computed', doctype)
    if (cells.cells.length > 0 && isComputed) checks.push(found.computed)
    if (found.stale.differences > 0 && isComputed) stale.push(found.stale)
    if (found.validation.differences > 0 && wants('validation', doctype))
      warnings.push(found.validation)
    if (found.earlier.differences > 0 && isComputed) earlier.push(found.earlier)
  }
  return { checks, stale, warnings, earlier, documents, from }
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
