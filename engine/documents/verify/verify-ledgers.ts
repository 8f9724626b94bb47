import { decimalToNumber } from '../../base/money.ts'
import { REVERSES, VOUCHER_NO } from '../../definition/model/ledger-fields.ts'
import type { Field } from '../../fields/field.ts'
import type { Value } from '../../fields/field-type.ts'
import { valueType } from '../../rules/base/scopes.ts'
import { type Doc, valueIn } from '../../storage/database/document.ts'
import {
  type Asked,
  differingMirrors,
  type Unbacked,
  unbackedRows,
  unbalancedVouchers,
  voucherTypes,
} from '../../storage/finding/ledger-mistakes.ts'
import { dateFieldOf } from '../effects/posting-day.ts'
import { historyOf } from '../history/series.ts'
import type { DocTypeParts, Services } from '../work/context.ts'
import { checkHistory } from './verify-history.ts'
import { type Check, type Difference, findings, shown } from './verify-report.ts'
import type { Scope } from './verify-scope.ts'

export interface LedgerCheck {
  readonly name: string
  /** Whether it has to do with the documents behind the rows, so that a ledger without new rows may differ. */
  readonly isOfVouchers?: boolean
  run(): Promise<Check>
}

/** Checks of one ledger: its postings balance, its mirror rows mirror, its vouchers are there. */
export function ledgerChecks(
  services: Services,
  ledger: DocTypeParts,
  scope: Scope,
  limit: number,
): readonly LedgerCheck[] {
  const { doctype, behaviour } = ledger.definition
  const asked = { limit, from: scope.from }
  const checks: LedgerCheck[] = [
    { name: `${doctype}: mirror rows`, run: () => checkMirrors(services, ledger, asked) },
    {
      name: `${doctype}: vouchers`,
      isOfVouchers: true,
      run: () => checkVouchers(services, ledger, scope, limit),
    },
  ]
  const history = historyOf(ledger, services.registry)
  if (history) {
    const name = `${doctype}: values from the beginning`
    checks.push({ name, run: () => checkHistory(services, history, name, limit) })
  }
  if (!behaviour.ledger?.balance) return checks
  return [
    { name: `${doctype}: balance`, run: () => checkBalance(services, ledger, asked) },
    ...checks,
  ]
}

/** Debit equals credit in every voucher, in what it posted and in what took that back. */
async function checkBalance(
  { database }: Services,
  { definition }: DocTypeParts,
  asked: Asked,
): Promise<Check> {
  const { doctype, fields, behaviour } = definition
  const [debit = '', credit = ''] = behaviour.ledger?.balance ?? []
  const rows = await unbalancedVouchers(database.read, definition, [debit, credit], asked)
  const { scale } = valueType(fields.find(({ name }) => name === debit)!)
  const amount = (sum: bigint | string): number => decimalToNumber(BigInt(sum), scale)
  const found = rows.map(
    (row): Difference => ({
      doctype,
      id: `${row.type} ${row.no}`,
      field: debit,
      stored: amount(row.debit),
      expected: amount(row.credit),
      message: `${Number(row.mirror) === 1 ? 'what takes it back' : 'what it posted'} does not balance: ${debit} and ${credit} differ`,
    }),
  )
  const name = `${doctype}: balance`
  return { kind: 'ledger', name, differences: Number(rows[0]?.total ?? 0), found }
}

/** A field of a mirror row and where its value comes from. */
interface Mirrored {
  readonly field: Field
  readonly from: string
  readonly isNegated: boolean
}

/**
 * The fields a mirror row takes from the row it reverses: all but the date, what is looked up for that date,
 * and formulas, which have a check of their own.
 */
function mirroredFields({ definition }: DocTypeParts): readonly Mirrored[] {
  const { balance = [], swap = [], negate = [], reverse_date } = definition.behaviour.ledger!
  const pairs = [...balance, ...swap]
  const others = new Map(pairs.map((name, at) => [name, pairs[at ^ 1] ?? name]))
  const date = reverse_date === 'original' ? undefined : dateFieldOf(definition)
  return definition.fields
    .filter(({ name, child, formula, lookup }) => {
      const isOfDay =
        name === date || (date !== undefined && (lookup?.where ?? lookup?.equals) !== undefined)
      return name !== REVERSES && !child && formula === undefined && !isOfDay
    })
    .map((field) => ({
      field,
      from: others.get(field.name) ?? field.name,
      isNegated: negate.includes(field.name),
    }))
}

async function checkMirrors(
  { database }: Services,
  ledger: DocTypeParts,
  asked: Asked,
): Promise<Check> {
  const { doctype } = ledger.definition
  const mirrored = mirroredFields(ledger)
  const columns = mirrored.map(({ field, ...of }) => ({ column: field.name, ...of }))
  const rows = await differingMirrors(database.read, ledger.definition, columns, asked)
  const found = await mirrorDifferences(database.read, ledger, mirrored, rows)
  const name = `${doctype}: mirror rows`
  return { kind: 'ledger', name, differences: Number(rows[0]?.total ?? 0), found }
}

async function mirrorDifferences(
  db: Services['database']['read'],
  { definition: { doctype }, store }: DocTypeParts,
  mirrored: readonly Mirrored[],
  rows: readonly { readonly name: string }[],
): Promise<readonly Difference[]> {
  if (rows.length === 0) return []
  const mirrors = await store.findMany(
    db,
    rows.map(({ name }) => name),
  )
  const reversed = [...mirrors.values()].map((mirror) => String(mirror[REVERSES]))
  const originals = await store.findMany(db, reversed)
  return rows.flatMap(({ name }): readonly Difference[] => {
    const mirror = mirrors.get(name)
    if (!mirror) return []
    const original = originals.get(String(mirror[REVERSES]))
    const about = { doctype, id: name, field: REVERSES, stored: mirror[REVERSES] }
    if (!original) return [{ ...about, message: 'the row it takes back does not exist' }]
    if (original[REVERSES] !== null) return [{ ...about, message: 'it takes back a mirror row' }]
    return mirrored.flatMap((one) => mirrorDifference(doctype, one, mirror, original))
  })
}

function mirrorDifference(
  doctype: string,
  { field, from, isNegated }: Mirrored,
  mirror: Doc,
  original: Doc,
): readonly Difference[] {
  const stored = valueIn(mirror, field.name)
  const source = valueIn(original, from)
  const expected = isNegated ? negated(source) : source
  if (stored === expected) return []
  return [
    {
      doctype,
      id: mirror.name,
      field: field.name,
      stored: shown(field, stored),
      expected: shown(field, expected),
      message: `does not mirror ${original.name}`,
    },
  ]
}

function negated(value: Value): Value {
  if (typeof value === 'bigint') return -value
  return typeof value === 'number' ? 0 - value : value
}

/**
 * Check that every row belongs to a voucher that is submitted, or is taken back together with a cancelled one.
 * Vouchers that have no docstatus post by actions alone.
 */
async function checkVouchers(
  { database, registry }: Services,
  { definition }: DocTypeParts,
  { from, shrunk }: Scope,
  limit: number,
): Promise<Check> {
  const { doctype } = definition
  const { read } = database
  const all = findings(limit)
  let differences = 0
  for (const type of await voucherTypes(read, definition)) {
    const voucher = type === null ? undefined : registry.byDoctype(type)
    // Rows of what was deleted are as old as they were.
    const isWhole = voucher !== undefined && shrunk.has(voucher.table)
    const asked = { limit, from: isWhole ? undefined : from }
    const rows = await unbackedRows(read, definition, type, voucher, asked)
    differences += Number(rows[0]?.total ?? 0)
    for (const row of rows) all.add(unbacked(doctype, row))
  }
  return { ...all.check('ledger', `${doctype}: vouchers`), differences }
}

function unbacked(doctype: string, { id, type, no, docstatus, reverses }: Unbacked): Difference {
  const voucher = `${type} ${JSON.stringify(no)}`
  const about = { doctype, id, field: VOUCHER_NO, stored: no }
  if (docstatus === null) return { ...about, message: `${voucher} does not exist` }
  if (reverses !== null)
    return { ...about, message: `${voucher} is not cancelled, yet the row takes back ${reverses}` }
  const state = Number(docstatus) === 2 ? 'cancelled, yet nothing takes the row back' : 'a draft'
  return { ...about, message: `${voucher} is ${state}` }
}
