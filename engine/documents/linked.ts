import type { Detail } from '../base/errors.ts'
import type { DocTypeDefinition, Field } from '../definition/definition.ts'
import type { Value } from '../fields/field-type.ts'
import { type Doc, type Row, rowsOf, valueIn } from '../storage/document.ts'
import type { DocTypeParts, Services } from './context.ts'
import type { LinkTarget, Work } from './work.ts'

/** A link of a record: where it stands and what it names. */
interface OutgoingLink {
  readonly path: string
  /** The field as rules name it: `customer`, `items.item_code`. */
  readonly cell: string
  readonly doctype: string
  readonly table?: string
  readonly name: string
  /** The value differs from the one before the change. */
  readonly changed: boolean
}

/** A record, or the row of one, that a link names. */
interface Target {
  readonly docstatus: number
}

type Targets = ReadonlyMap<string, Target | undefined>

/**
 * Reads what a document links to and says which links do not hold: a record that does not exist, a cancelled
 * one, and, when the document is submitted, a draft (rules.md §4.2, Links). Links that did not change are
 * not complained about again, except at submit. The records are known to `work.reads` afterwards.
 */
export async function readLinked(
  work: Work,
  { definition, behaviour }: DocTypeParts,
  before: Doc | undefined,
  after: Doc,
): Promise<readonly Detail[]> {
  const { services } = work.context
  const problems: Detail[] = []
  const submitting = after.docstatus === 1 && before?.docstatus !== 1
  const { fetchedLinks } = behaviour.rules
  // A link that did not change and that nothing is read through has nothing new to say.
  const links = [...outgoingLinks(definition, before, after, services, problems)].filter(
    ({ changed, cell }) => changed || submitting || fetchedLinks.has(cell),
  )
  const found = new Map<string, Targets>()
  for (const [key, named] of Map.groupBy(links, keyOf)) {
    const isChecked = submitting || named.some(({ changed }) => changed)
    const names = [...new Set(named.map(({ name }) => name))]
    found.set(key, await knownTargets(work, named[0]!, names, isChecked))
  }
  for (const link of links) {
    if (!link.changed && !submitting) continue
    const message = linkProblem(link, found.get(keyOf(link))?.get(link.name), services, submitting)
    if (message !== undefined) problems.push({ field: link.path, message })
  }
  return problems
}

/** The targets of one kind of link: images of this transaction first, then what it has looked at, then the database. */
async function knownTargets(
  work: Work,
  link: OutgoingLink,
  names: readonly string[],
  isChecked: boolean,
): Promise<Targets> {
  const key = keyOf(link)
  const known = work.linkTargets.get(key) ?? new Map<string, LinkTarget | undefined>()
  work.linkTargets.set(key, known)
  const targets = new Map<string, Target | undefined>()
  const unread: string[] = []
  for (const name of names) {
    const own = link.table === undefined ? work.touched.get(`${link.doctype}\0${name}`) : undefined
    const read = known.get(name)
    if (own) targets.set(name, own.current)
    else if (known.has(name) && (!read || read.isHeld || !isChecked)) targets.set(name, read)
    else unread.push(name)
  }
  if (unread.length === 0) return targets
  const read = await readTargets(work, link, unread, isChecked)
  for (const name of unread) {
    const target = read.get(name)
    known.set(name, target && { docstatus: target.docstatus, isHeld: isChecked })
    targets.set(name, target)
  }
  return targets
}

function keyOf({ doctype, table }: OutgoingLink): string {
  return table === undefined ? doctype : `${doctype}.${table}`
}

function linkProblem(
  { doctype, table, name }: OutgoingLink,
  target: Target | undefined,
  { registry }: Services,
  submitting: boolean,
): string | undefined {
  const what = table === undefined ? doctype : `row of ${doctype}.${table}`
  if (!target) return `expected an existing ${what}, got ${JSON.stringify(name)}`
  if (!registry.byDoctype(doctype)?.submittable) return undefined
  const which = table === undefined ? `${doctype} ${JSON.stringify(name)}` : `the ${what}`
  if (target.docstatus === 2) return `${which} is cancelled; name a live one`
  if (target.docstatus === 0 && submitting) return `${which} is a draft; submit it first`
  return undefined
}

/**
 * What the links of one kind name. Those that are checked are held until the change is committed: without
 * it another process on PostgreSQL could delete or cancel the target between our look and our commit.
 */
async function readTargets(
  { tx, context: { services }, reads }: Work,
  { doctype, table }: OutgoingLink,
  names: readonly string[],
  isChecked: boolean,
): Promise<Targets> {
  const definition = services.registry.byDoctype(doctype)
  if (!definition) return new Map()
  const isHeld = isChecked && services.database.kind === 'postgres'
  if (table !== undefined) {
    const rows = tx
      .selectFrom(`${definition.table}__${table} as r`)
      .innerJoin(`${definition.table} as d`, 'd.rid', 'r.parent')
      .select(['r.row_id', 'd.docstatus'])
      .where('r.row_id', 'in', names)
      .orderBy('d.rid')
    const found = await (isHeld ? rows.forKeyShare(['d']) : rows).execute()
    return new Map(found.map((row) => [String(row.row_id), { docstatus: Number(row.docstatus) }]))
  }
  if (isHeld) {
    // In one order everywhere, so that two changes do not wait for each other.
    await tx
      .selectFrom(definition.table)
      .select('rid')
      .where('name', 'in', names)
      .orderBy('rid')
      .forKeyShare()
      .execute()
  }
  const docs = await services.partsOf(definition).store.findMany(tx, names)
  for (const name of names) reads.know(doctype, name, docs.get(name) ?? null)
  return docs
}

function* outgoingLinks(
  definition: DocTypeDefinition,
  before: Doc | undefined,
  after: Doc,
  services: Services,
  problems: Detail[],
): Generator<OutgoingLink> {
  const old = (field: string): Value => (before ? valueIn(before, field) : null)
  yield* linksOf(
    definition.fields,
    '',
    '',
    (field) => valueIn(after, field),
    old,
    services,
    problems,
  )
  for (const field of definition.fields) {
    if (!field.child) continue
    const oldRows = new Map(
      (before ? rowsOf(before, field.name) : []).map((row): [string, Row] => [row.row_id, row]),
    )
    for (const [index, row] of rowsOf(after, field.name).entries()) {
      const oldRow = oldRows.get(row.row_id)
      const prefix = `${field.name}[${index}].`
      yield* linksOf(
        field.child.fields,
        prefix,
        `${field.name}.`,
        (name) => row[name] ?? null,
        (name) => oldRow?.[name] ?? null,
        services,
        problems,
      )
    }
  }
}

function* linksOf(
  fields: readonly Field[],
  prefix: string,
  cells: string,
  now: (field: string) => Value,
  old: (field: string) => Value,
  services: Services,
  problems: Detail[],
): Generator<OutgoingLink> {
  for (const field of fields) {
    if (field.link === undefined && field.linkFrom === undefined) continue
    const name = now(field.name)
    if (name === null) continue
    const path = prefix + field.name
    const doctype = field.link ?? now(field.linkFrom!)
    if (typeof doctype !== 'string') {
      problems.push({
        field: path,
        message: `expected ${field.linkFrom} to name the DocType first`,
      })
      continue
    }
    if (field.linkFrom !== undefined && !services.registry.byDoctype(doctype)) {
      problems.push({
        field: prefix + field.linkFrom,
        message: `expected a DocType, got ${JSON.stringify(doctype)}`,
      })
      continue
    }
    const changed =
      old(field.name) !== name || (field.linkFrom !== undefined && old(field.linkFrom) !== doctype)
    yield {
      path,
      cell: cells + field.name,
      doctype,
      name: String(name),
      changed,
      ...(field.linkTable === undefined ? {} : { table: field.linkTable }),
    }
  }
}
