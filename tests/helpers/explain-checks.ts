import * as assert from 'uvu/assert'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { explainField } from '../../engine/documents/explain/explain.ts'
import type {
  ExplainedInput,
  ExplainedRecord,
  Explanation,
} from '../../engine/documents/explain/explanation.ts'
import { getDocument } from '../../engine/documents/operations/get.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Field } from '../../engine/fields/field.ts'
import { fieldType } from '../../engine/fields/index.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'
import { list } from './reading-checks.ts'
import { NotShown, recomputed, same } from './recompute.ts'

type Record = Readonly<{ [field: string]: unknown }>

/**
 * The newest records of each DocType tell why each of their values is what it is: the value is the one of GET, so are those of
 * the inputs that are fields of the record, the records add up to it, and no internal field is named. Returns how many.
 */
export async function assertExplained(
  context: Context,
  definitions: readonly DocTypeDefinition[],
  most: number,
  tally?: Tally,
): Promise<number> {
  const internal = internalNames(context.services.registry.all)
  let explained = 0
  for (const definition of definitions) {
    const { data } = await list(context, definition, [['limit', String(most)]])
    for (const { id } of data) {
      const { record } = await getDocument(context, definition, String(id))
      for (const [field, name, value] of cellsOf(definition, record)) {
        await assertCell(context, definition, record, { field, name, value, internal, tally })
        explained += 1
      }
    }
  }
  return explained
}

/** Fields of a record, and columns of the first row of each table, with their names and values. */
function cellsOf(definition: DocTypeDefinition, record: Record): [Field, string, unknown][] {
  return publicFields(definition).flatMap((field): [Field, string, unknown][] => {
    const [row] = field.child ? (record[field.name] as readonly Record[]) : []
    return [
      [field, field.name, record[field.name]],
      ...(row ? publicFields(field.child!) : []).map((column): [Field, string, unknown] => [
        column,
        `${field.name}.${row!.row_id}.${column.name}`,
        row![column.name],
      ]),
    ]
  })
}

/** `formula recomputed`, `formula hidden` → how often: what was computed anew of what is shown, and why other values were not. */
export type Tally = Map<string, number>

/** Shares of the values of a kind that are computed anew of what is shown; what is not is hidden, sent, or of a moment that is gone. */
const LEAST = { formula: 0.8, default: 0.75, status: 0.85, fetch: 0.9 } as const

/** Most formulas whose texts name what is no input, of all. */
const MOST_MISSING = 0.02

/** Most of what was explained was computed anew of what is shown; rows of ledgers, which their documents explain, are apart. */
export function assertMostRecomputed(tally: Tally): void {
  const told = JSON.stringify([...tally])
  for (const [how, least] of Object.entries(LEAST)) {
    const of = (isCounted: (outcome: string) => boolean): number =>
      [...tally].reduce((sum, [name, times]) => {
        const [kind, outcome = ''] = name.split(' ')
        return kind === how && isCounted(outcome) ? sum + times : sum
      }, 0)
    const all = of((outcome) => outcome !== 'ledger')
    assert.ok(of((outcome) => outcome === 'recomputed') >= all * least, `${how}: ${told}`)
    const isMissing = (outcome: string): boolean => ['missing', 'syntax'].includes(outcome)
    assert.ok(of(isMissing) <= Math.ceil(all * MOST_MISSING), `${how}: ${told}`)
  }
}

interface Asked {
  /** Where the value is computed anew of what is shown too, what came of it is counted. */
  readonly tally: Tally | undefined
  readonly field: Field
  readonly name: string
  readonly value: unknown
  /** Names that are those of internal fields and of no others. */
  readonly internal: RegExp
}

async function assertCell(
  context: Context,
  definition: DocTypeDefinition,
  record: Record,
  { field, name, value, internal, tally }: Asked,
): Promise<void> {
  const about = `${definition.doctype} ${record.id} ${name}`
  const ask = (cursor?: string): Promise<Explanation> =>
    explainField(context, definition, String(record.id), name, { depth: 2, limit: 100, cursor })
  const first = await ask()
  assert.equal(first.value, value, about)
  assert.is(first.label, field.label, about)
  assert.ok(first.where?.line, `${about}: ${JSON.stringify(first.where)}`)
  // A default may be any word.
  const said = first.how === 'default' ? '' : first.where?.text
  const text = JSON.stringify([said, first.inputs.map(nameless)])
  assert.is(internal.exec(text)?.[0], undefined, about)
  const inputs = [...first.inputs]
  if (!first.records)
    for (let cursor = first.next_cursor; cursor !== undefined; ) {
      const page = await ask(cursor)
      inputs.push(...page.inputs)
      cursor = page.next_cursor
    }
  for (const input of inputs) assertInput(input, record, about)
  if (tally) {
    const row = /^(\w+)\.[^.]+\.\w+$/.exec(name)
    const outcome = await assertRecomputed(
      { ...first, inputs },
      {
        ...{ context, record, about, precision: precisionOf(field) },
        row: row ? { table: row[1]!, index: 0 } : undefined,
      },
    )
    tally.set(`${first.how} ${outcome}`, (tally.get(`${first.how} ${outcome}`) ?? 0) + 1)
  }
  if (field.formula !== undefined) assert.is(first.how, 'formula', about)
  if (!field.rollup) return
  assert.is(first.how, 'rollup', about)
  const values = (first.records ?? []).map((one) => one.value)
  for (let cursor = first.next_cursor; cursor !== undefined; ) {
    const page = await ask(cursor)
    values.push(...(page.records ?? []).map((one) => one.value))
    cursor = page.next_cursor
  }
  const { operation } = field.rollup
  if (operation === 'min' || operation === 'max') {
    assert.ok(
      values.every((one) => one === value),
      about,
    )
    assert.is(values.length === 0, value === null, about)
  } else {
    const sum = values.reduce<number>((all, one) => all + Number(one), 0)
    assert.is(Math.round(sum * 1e6), Math.round(Number(value) * 1e6), about)
  }
}

/** Half of the last digit that a field keeps, of amounts of a cent, and a little for binary fractions. */
function precisionOf(field: Field): number {
  const type = fieldType(field.type)
  const digits = type.kind === 'money' ? Math.min(2, type.scaleOf(field)) : type.scaleOf(field)
  return 0.5 * 10 ** -digits + 1e-9
}

interface Recomputing {
  readonly context: Context
  readonly record: Record
  readonly about: string
  readonly precision: number
  readonly row: { readonly table: string; readonly index: number } | undefined
}

/** What is shown gives the value; answers `recomputed`, or why that cannot be told of what is shown. */
async function assertRecomputed(
  told: Explanation,
  { context, record, about, precision, row }: Recomputing,
): Promise<string> {
  const { how, where, value, inputs, records, at } = told
  const isEarlier = at !== undefined
  if (how === 'fetch' && records?.length === 1) {
    if (!isEarlier) assert.equal(records[0]!.value, value, about)
    return 'recomputed'
  }
  if (how !== 'formula' && how !== 'default' && how !== 'status') return 'other'
  const text = where?.text ?? ''
  const [chosen] = records ?? []
  const isOfLedger = chosen !== undefined && how === 'formula'
  // What a ledger row has is computed over its document, which is named: it explains its own values.
  if (isOfLedger) return 'ledger'
  let found: unknown
  try {
    // The first record of a kind that meets a condition: it does.
    found = chosen
      ? recomputed(text, await inputsFrom(context, chosen), undefined, {})
      : recomputed(text, inputs, row, record)
  } catch (error) {
    if (!(error instanceof NotShown)) throw error
    // An option that is written as it is.
    if (how === 'default' && String(value) === text) return 'recomputed'
    return error.reason
  }
  const isAlike =
    how === 'status' || chosen
      ? found === true
      : typeof value === 'number'
        ? Math.abs(Number(found ?? 0) - value) <= Math.max(precision, Math.abs(value) * 1e-12)
        : same(found, value)
  // What followed its inputs once, and does no more, says when it was taken.
  if (!isAlike && isEarlier) return 'earlier'
  const shown = [text, inputs.map(({ field, value: of }) => [field, of]), found, value]
  assert.ok(isAlike, `${about}: ${JSON.stringify(shown)}`)
  return 'recomputed'
}

/** Fields of a record as inputs of the condition by which it was chosen. */
async function inputsFrom(
  context: Context,
  { resource, id }: ExplainedRecord,
): Promise<readonly ExplainedInput[]> {
  const definition = context.services.registry.bySlug(String(resource))!
  const { record } = await getDocument(context, definition, String(id))
  return Object.entries(record).map(([field, value]) => ({ field, label: field, value }))
}

/** An input without values: any text may stand in these. */
function nameless({ field, explain }: ExplainedInput): unknown {
  return [field, explain?.how === 'default' ? '' : explain?.where?.text]
}

const IN_ROW = /^(\w+)\[(\d+)\]\.(\w+)$/

/** An input that is a field of the record has its value. */
function assertInput({ field, value }: ExplainedInput, record: Record, about: string): void {
  const [, table = '', index, column = ''] = IN_ROW.exec(field) ?? []
  if (index !== undefined) {
    const row = (record[table] as readonly Record[])[Number(index)]!
    assert.equal(value, row[column], `${about}: ${field}`)
  } else if (field in record && !Array.isArray(record[field]))
    assert.equal(value, record[field], `${about}: ${field}`)
}

/** Names before a colon are words of the grammar, such as `latest:`. */
function internalNames(definitions: readonly DocTypeDefinition[]): RegExp {
  const [hidden, shown] = [new Set<string>(), new Set<string>()]
  const add = (fields: readonly Field[]): void => {
    for (const { name, internal, child } of fields) {
      ;(internal ? hidden : shown).add(name)
      add(child?.fields ?? [])
    }
  }
  for (const { fields } of definitions) add(fields)
  return new RegExp(`\\b(${[...hidden].filter((name) => !shown.has(name)).join('|')})\\b(?!:)`)
}
