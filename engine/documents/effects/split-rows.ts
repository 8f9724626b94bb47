import { validationError } from '../../base/errors.ts'
import { divideRounded, pow10 } from '../../base/money.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { SplitDeclaration } from '../../definition/model/split.ts'
import { placesOf } from '../../rules/base/money-places.ts'
import { valueType } from '../../rules/base/scopes.ts'
import { cloneDoc, type Doc, type Row, rowsOf } from '../../storage/database/document.ts'
import type { DocTypeParts } from '../work/context.ts'
import type { Work } from '../work/work.ts'

/**
 * Rows of a posting, those that name a record of the ledger's `split` as one for each of that record's rows: a bundle of
 * serial numbers as its pieces. Throws VALIDATION_ERROR where the parts are not the whole.
 */
export async function splitRows(
  work: Work,
  { definition }: DocTypeParts,
  rows: readonly Doc[],
): Promise<readonly Doc[]> {
  const declared = definition.behaviour.ledger?.split
  if (!declared || rows.every((row) => isWhole(row, declared))) return rows
  return partsOfRows(work, definition, declared, rows, rows)
}

/**
 * The same where the ledger itself finds the record that a row names: `computed` are the rows with what it found. Gives
 * `rows` where it found none.
 */
export async function splitComputed(
  work: Work,
  { definition }: DocTypeParts,
  rows: readonly Doc[],
  computed: readonly Doc[],
): Promise<readonly Doc[]> {
  const declared = definition.behaviour.ledger?.split
  const link = definition.fields.find(({ name }) => name === declared?.link)
  if (!declared || link?.lookup === undefined) return rows
  if (computed.every((row) => isWhole(row, declared))) return rows
  return partsOfRows(work, definition, declared, rows, computed)
}

/** The parts of rows, by the records that the rows of `naming` name in their places. */
async function partsOfRows(
  work: Work,
  definition: DocTypeDefinition,
  declared: SplitDeclaration,
  rows: readonly Doc[],
  naming: readonly Doc[],
): Promise<readonly Doc[]> {
  const { services } = work.context
  const target = definition.fields.find(({ name }) => name === declared.link)?.link ?? ''
  const { store } = services.partsOf(services.registry.byDoctype(target)!)
  const named = naming.map((row) => row[declared.link] ?? null)
  const names = new Set(named.filter((name) => name !== null))
  const records = await store.findMany(work.tx, [...names] as string[])
  await store.loadRows(work.tx, [...records.values()], [declared.rows])
  const gone = new Map<string, bigint>()
  return rows.flatMap((row, at) => {
    const record = records.get(String(named[at]))
    const parts = record ? partsOf(definition, declared, row, record) : [row]
    for (const part of parts) countBefore(definition, declared, part, part !== row, gone)
    return parts
  })
}

function isWhole(row: Doc, { link }: SplitDeclaration): boolean {
  return (row[link] ?? '') === ''
}

function partsOf(
  definition: DocTypeDefinition,
  declared: SplitDeclaration,
  row: Doc,
  record: Doc,
): readonly Doc[] {
  const { parts, share, copy, advance, link, message } = declared
  const shares = rowsOf(record, declared.rows)
  const whole = sumOf(shares, share)
  const [quantity = ''] = parts
  const moved = amountOf(row[quantity])
  if (message !== undefined && moved !== 0n && whole !== (moved < 0n ? -moved : moved))
    throw validationError([
      { field: link, message: `posting to ${definition.label}: ${message}`, code: 'rule' },
    ])
  let given = 0n
  return shares.map((one) => {
    const part = cloneDoc(row)
    for (const name of copy) part[name] = one[name] ?? null
    const upTo = given + amountOf(one[share])
    for (const name of parts) {
      if (isLeftToDefault(definition, row, name)) continue
      const of = (taken: bigint): bigint => portion(definition, row, name, taken, whole)
      part[name] = of(upTo) - of(given)
    }
    if (advance !== undefined) part[advance] = amountOf(row[advance]) + given
    given = upTo
    return part
  })
}

/** Whether an amount is not given and has a default of its own, which each part then takes. */
function isLeftToDefault({ fields }: DocTypeDefinition, row: Doc, name: string): boolean {
  const field = fields.find((candidate) => candidate.name === name)
  return field?.default !== undefined && (row[name] ?? null) === null
}

/** Part of an amount, in whole coins where it is money. */
function portion(
  definition: DocTypeDefinition,
  row: Doc,
  name: string,
  taken: bigint,
  whole: bigint,
): bigint {
  const field = definition.fields.find((candidate) => candidate.name === name)!
  const type = valueType(field)
  const places = placesOf(field, type, row, row)
  const coin = places === undefined ? 1n : pow10(type.scale - places)
  return divideRounded(amountOf(row[name]) * taken, whole * coin) * coin
}

/** Sets what earlier rows of the posting moved in the series of a part. */
function countBefore(
  { behaviour, fields }: DocTypeDefinition,
  { parts, copy, before }: SplitDeclaration,
  row: Doc,
  isPart: boolean,
  gone: Map<string, bigint>,
): void {
  const { series = [] } = behaviour.ledger?.looks_back ?? {}
  const own = series.filter(
    (name) => fields.find((field) => field.name === name)?.formula === undefined,
  )
  const key = [...new Set([...own, ...copy])].map((name) => row[name] ?? '').join('\0')
  const known = gone.get(key) ?? 0n
  if (isPart && before !== undefined) row[before] = known
  gone.set(key, known + amountOf(row[parts[0] ?? '']))
}

function sumOf(rows: readonly Row[], name: string): bigint {
  return rows.reduce((sum, row) => sum + amountOf(row[name]), 0n)
}

function amountOf(value: unknown): bigint {
  return typeof value === 'bigint' ? value : 0n
}
