import { valueType } from '../../rules/base/scopes.ts'
import type { PostPlan, RowsPlan } from '../../rules/steps/step-plans.ts'
import { type Doc, valueIn } from '../../storage/database/document.ts'
import type { DocTypeParts } from '../work/context.ts'
import type { Written } from '../work/work.ts'
import { nameContra } from './contra.ts'
import { rowSources } from './each-source.ts'
import { appendRows } from './ledger.ts'
import {
  amountColumns,
  amountIn,
  imbalanceOf,
  postingRefused,
  shownAmount,
} from './ledger-amounts.ts'
import { dateFieldOf } from './posting-day.ts'
import {
  assignments,
  type RowRecords,
  resultOfRule,
  type StepScope,
  settled,
} from './step-values.ts'

/**
 * One posting: its rows are made, grouped and balanced, then added to the ledger (rules.md §4.1, effects).
 * Throws VALIDATION_ERROR when debit and credit differ by more than `rounding` takes.
 */
export async function postRows(scope: StepScope, plan: PostPlan, writes: Written[]): Promise<void> {
  const { services } = scope.work.context
  const ledger = services.partsOf(plan.ledger)
  const sources: (readonly RowRecords[])[] = []
  for (const one of plan.rows) sources.push(await rowSources(scope, one))
  const rows = await settled(scope, () => madeRows(scope, plan, ledger, sources))
  nameContra(ledger, rows)
  if (rows.length > 0) await appendRows(scope.work, ledger, scope.entry, rows, writes)
}

function madeRows(
  scope: StepScope,
  plan: PostPlan,
  ledger: DocTypeParts,
  sources: readonly (readonly RowRecords[])[],
): readonly Doc[] {
  const blank = blankRow(scope, plan, ledger)
  const rows = plan.rows
    .flatMap((one, index) => rowsFrom(scope, one, sources[index]!, ledger, blank))
    .filter((row) => saysSomething(ledger, row))
  const residue = residueOf(scope, plan, ledger, blank, rows)
  const posted = residue ? [...rows, residue] : rows
  // An amount that nothing gives is 0: who adds up a ledger meets no unset ones.
  const amounts = amountColumns(ledger.definition).filter(
    (name) => ledger.definition.fields.find((field) => field.name === name)?.default === undefined,
  )
  for (const row of posted) for (const name of amounts) row[name] ??= zeroOf(ledger, name)
  return posted
}

function zeroOf({ definition }: DocTypeParts, name: string): bigint | number {
  const field = definition.fields.find((candidate) => candidate.name === name)!
  return valueType(field).kind === 'int' ? 0 : 0n
}

/** A row as every row of this posting begins: what the ledger copies, and the date. */
function blankRow(scope: StepScope, plan: PostPlan, ledger: DocTypeParts): Doc {
  const { definition } = ledger
  const doc = scope.entry.current!
  const row = ledger.store.empty()
  for (const name of definition.behaviour.ledger?.copy ?? []) row[name] = valueIn(doc, name)
  const date = dateFieldOf(definition)
  if (date === undefined) return row
  const own = row[date] ?? valueIn(doc, date)
  const given = plan.date ? resultOfRule(scope, plan.date) : own
  row[date] = typeof given === 'string' && given !== '' ? given : scope.work.environment.today
  return row
}

function rowsFrom(
  scope: StepScope,
  plan: RowsPlan,
  sources: readonly RowRecords[],
  ledger: DocTypeParts,
  blank: Doc,
): Doc[] {
  const rows = sources.map((source) => {
    const row = { ...blank }
    for (const [name, value] of assignments(scope, plan.set, source)) row[name] = value
    return row
  })
  const grouped = plan.group ? grouping(ledger, plan.group, rows) : rows
  for (const row of grouped) turnNegative(ledger, row)
  return grouped
}

/** Rows of which those that agree in the columns of `group` are one, their amounts added up. */
function grouping(ledger: DocTypeParts, group: readonly string[], rows: readonly Doc[]): Doc[] {
  const amounts = amountColumns(ledger.definition)
  const byKey = new Map<string, Doc>()
  for (const row of rows) {
    const key = group.map((name) => String(valueIn(row, name))).join('\0')
    const known = byKey.get(key)
    if (!known) byKey.set(key, row)
    else
      for (const name of amounts) {
        // What no row sets stays unset, so that its default can stand in.
        if ((known[name] ?? row[name] ?? null) === null) continue
        known[name] = amountIn(known, name) + amountIn(row, name)
      }
  }
  return [...byKey.values()]
}

/** Turns a negative debit into a credit and the other way round, so that a return posts like a sale. */
function turnNegative({ definition }: DocTypeParts, row: Doc): void {
  const { balance: columns = [], swap = [] } = definition.behaviour.ledger ?? {}
  const pairs = [...columns, ...swap]
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const [one, other] = [pairs[at]!, pairs[at + 1]!]
    const net = amountIn(row, one) - amountIn(row, other)
    if (amountIn(row, one) >= 0n && amountIn(row, other) >= 0n) continue
    row[one] = net > 0n ? net : 0n
    row[other] = net < 0n ? -net : 0n
  }
}

function saysSomething({ definition }: DocTypeParts, row: Doc): boolean {
  const { basis } = definition.behaviour.ledger?.looks_back ?? {}
  // What stands before it later may give it an amount.
  if (basis !== undefined && (row[basis] ?? '') !== '') return true
  const amounts = amountColumns(definition)
  return amounts.length === 0 || amounts.some((name) => amountIn(row, name) !== 0n)
}

/** The row that takes a small difference; undefined when there is none. Throws when it is too large. */
function residueOf(
  scope: StepScope,
  { rounding }: PostPlan,
  { definition }: DocTypeParts,
  blank: Doc,
  rows: readonly Doc[],
): Doc | undefined {
  const [debit, credit] = definition.behaviour.ledger?.balance ?? []
  if (debit === undefined || credit === undefined) return undefined
  const difference = imbalanceOf(definition, rows)
  if (difference === 0n) return undefined
  const [side, other] = difference > 0n ? [debit, credit] : [credit, debit]
  const amount = difference > 0n ? difference : -difference
  const shown = shownAmount(definition, debit, amount)
  if (!rounding || Number(shown) > rounding.max) {
    const limit = rounding ? `, more than the ${rounding.max} that rounding takes` : ''
    throw postingRefused(definition, [
      { field: side, message: `${side} exceeds ${other} by ${shown}${limit}`, code: 'rule' },
    ])
  }
  const row = { ...blank }
  for (const [name, value] of assignments(scope, rounding.set)) row[name] = value
  row[other] = amount
  return row
}
