import type { Field, Takes } from '../../fields/field.ts'
import type { Value } from '../../fields/field-type.ts'
import type { CreatePlan } from '../../rules/steps/step-plans.ts'
import type { DocumentInput, RowInput } from '../../schema/shapes/validator.ts'
import type { Doc } from '../../storage/database/document.ts'
import { ownersOfRows } from '../../storage/finding/rows-by-id.ts'
import { nameKey } from '../record/outgoing-links.ts'
import { leftEmpty } from '../record/record-input.ts'
import { hiddenTargets } from '../rights/door.ts'
import type { DocTypeParts } from '../work/context.ts'
import type { Work } from '../work/work.ts'
import { madeTables } from './made-tables.ts'
import { wireOf } from './step-input.ts'
import { assignments, type StepScope, settled } from './step-values.ts'

/** A column of a table that names rows of other documents. */
interface TakingColumn {
  readonly table: Field
  readonly column: Field
  readonly takes: Takes
}

/** What the action of an earlier document gives a new record: its own values, its tables, rows by the row they are of. */
interface Given {
  readonly input: DocumentInput
  readonly rows: ReadonlyMap<Value, RowInput>
}

/** Names of rows of earlier documents → what these give; for one body. */
type Givers = (name: string) => Promise<Given | undefined>

/**
 * A body as if the action that a row link names (`takes`) had made it: a new row that names a row of an earlier document
 * has what that gives unless the body says otherwise, and the first such row of a new record brings the head and the
 * other tables along. A row of something else, and what the caller may not read, takes nothing. `before` is the draft
 * that is changed.
 */
export async function takeOver(
  work: Work,
  parts: DocTypeParts,
  input: DocumentInput,
  before?: Doc,
): Promise<DocumentInput> {
  for (const table of parts.definition.fields) {
    const sent = table.child && input.tables[table.name]
    const columns = sent ? takingColumns(table, parts.definition.doctype) : []
    if (!sent || columns.length === 0) continue
    const head = before ? { values: { ...before, ...input.values } as RowInput['values'] } : input
    const rows = [...sent]
    let first: Given | undefined
    const givers = new Map<Field, Givers>()
    for (const [index, row] of sent.entries()) {
      const taking = columns.find(({ column }) => namedBy(row, column) !== undefined)
      if (!taking || row.row_id !== undefined) continue
      const { column, takes } = taking
      const ask = givers.get(column) ?? (await giversOf(work, parts, taking, sent))
      givers.set(column, ask)
      const name = namedBy(row, column)!
      const given = await ask(name)
      const from = given?.rows.get(name)
      if (!given || !from || !isAlike(takes, head, given.input, HEAD)) continue
      if (isAlike(takes, row, from, ''))
        rows[index] = { ...row, values: { ...said(from.values), ...row.values } }
      first ??= given
    }
    const taken = { ...input, tables: { ...input.tables, [table.name]: rows } }
    if (first) return before ? taken : withHead(parts, taken, first.input)
  }
  return input
}

/** The columns that take; those that take back what documents of the same kind say go first. */
function takingColumns(table: Field, doctype: string): readonly TakingColumn[] {
  const columns = (table.child?.fields ?? []).filter(({ takes }) => takes)
  const [own, others] = [true, false].map((is) =>
    columns.filter(({ link }) => (link === doctype) === is),
  )
  return [...own!, ...others!].map((column) => ({ table, column, takes: column.takes! }))
}

function namedBy({ values }: RowInput, { name }: Field): string | undefined {
  const named = values[name]
  return typeof named === 'string' && named !== '' ? named : undefined
}

/** Reader of what documents give whose rows these rows name; each document is asked once. */
async function giversOf(
  work: Work,
  parts: DocTypeParts,
  taking: TakingColumn,
  rows: readonly RowInput[],
): Promise<Givers> {
  const { services } = work.context
  const { link = '', linkTable = '' } = taking.column
  const source = services.partsOf(services.registry.byDoctype(link)!)
  const names = new Set(rows.flatMap((row) => namedBy(row, taking.column) ?? []))
  const links = [...names].map((name) => ({
    doctype: link,
    table: linkTable,
    name,
    isFollowed: true,
  }))
  const hidden = await hiddenTargets(work, links)
  const seen = links.filter((one) => !hidden.has(nameKey(one))).map(({ name }) => name)
  if (seen.length === 0) return async () => undefined
  const { table } = source.definition
  const of = { table, child: `${table}__${linkTable}` }
  const owners = await ownersOfRows(work.tx, of, seen)
  const docs = await source.store.findMany(work.tx, [...new Set(owners.values())])
  await source.store.loadRows(work.tx, [...docs.values()])
  const given = new Map<string, Given | undefined>()
  return async (name) => {
    const doc = docs.get(owners.get(name) ?? '')
    if (!doc) return undefined
    if (!given.has(doc.name)) given.set(doc.name, await givenBy(work, parts, source, taking, doc))
    return given.get(doc.name)
  }
}

/** What the action would make of a document, whatever of it is left. */
async function givenBy(
  work: Work,
  { definition, validator }: DocTypeParts,
  source: DocTypeParts,
  { table, column, takes }: TakingColumn,
  doc: Doc,
): Promise<Given | undefined> {
  const plan = source.behaviour.actions.get(takes.action)
  const step = plan?.steps.find(
    (one): one is CreatePlan => one.kind === 'create' && one.doctype === definition,
  )
  if (!plan || !step) return undefined
  const nothing = Object.fromEntries(plan.input.map(({ name }) => [name, null]))
  const scope: StepScope = {
    work,
    entry: { parts: source, name: doc.name, start: doc, current: doc, kinds: [] },
    records: { input: { ...nothing, rows: [] } },
  }
  const own = await settled(scope, () => wireOf(assignments(scope, step.set), step.set))
  const whole = step.tables.map(({ field, rows }) => ({
    field,
    rows: field.name === table.name ? rows.map((one) => ({ ...one, ...everyRow(one) })) : rows,
  }))
  const body = { ...own, ...(await madeTables(scope, whole, {})) }
  const input = validator.read('engine', body)
  const rows = input.tables[table.name] ?? []
  return { input, rows: new Map(rows.map((row) => [row.values[column.name] ?? null, row])) }
}

/** The rows of a step without what leaves some of them out. */
function everyRow({ each }: CreatePlan['tables'][number]['rows'][number]): object {
  return { if: undefined, each: each && { ...each, if: undefined } }
}

const HEAD = 'parent.'

/** Whether what was sent says nothing else than what is given, in what has to be the same (`takes.same`). */
function isAlike(
  { same }: Takes,
  sent: Pick<RowInput, 'values'>,
  given: Pick<RowInput, 'values'>,
  place: '' | typeof HEAD,
): boolean {
  return same
    .filter((name) => name.startsWith(HEAD) === (place === HEAD))
    .map((name) => name.slice(place.length))
    .every((name) => (sent.values[name] ?? given.values[name]) === given.values[name])
}

/** Values of a head that a body does not have, but for those that are fetched through a link that it says otherwise. */
function withHead(
  { definition }: DocTypeParts,
  sent: DocumentInput,
  given: DocumentInput,
): DocumentInput {
  const isOther = ({ fetch }: Field): boolean => {
    const link = fetch?.link
    return (
      link !== undefined &&
      Object.hasOwn(sent.values, link) &&
      sent.values[link] !== (given.values[link] ?? null)
    )
  }
  const kept = new Set(definition.fields.filter((field) => !isOther(field)).map(({ name }) => name))
  // That there shall be none is said too.
  const none = Object.fromEntries(
    [...leftEmpty(definition, given.values)].map((name) => [name, null]),
  )
  const only = <T>(all: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(all).filter(([name]) => kept.has(name)))
  return {
    ...sent,
    values: { ...only({ ...said(given.values), ...none }), ...sent.values },
    tables: { ...only(given.tables), ...sent.tables },
  }
}

/** What says something: a value that an action leaves empty is for the record's own defaults. */
function said(values: DocumentInput['values']): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}
