import type { Detail } from '../base/errors.ts'
import type { DocTypeDefinition, Field } from '../definition/definition.ts'
import type { Registry } from '../definition/registry.ts'
import { type Doc, type Row, rowsOf } from '../storage/document.ts'
import type { DocTypeParts, LinkFields, Services } from './context.ts'
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
  parts: DocTypeParts,
  before: Doc | undefined,
  after: Doc,
): Promise<readonly Detail[]> {
  const { services } = work.context
  const problems: Detail[] = []
  const submitting = after.docstatus === 1 && before?.docstatus !== 1
  const { fetchedLinks } = parts.behaviour.rules
  // A link that did not change and that nothing is read through has nothing new to say.
  const links = outgoingLinks(parts, before, after, services.registry, problems).filter(
    ({ changed, cell }) => changed || submitting || fetchedLinks.has(cell),
  )
  if (links.length === 0) return problems
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

/** Where links are looked for: a document or a row, as it is and as it was. */
interface Place {
  readonly prefix: string
  readonly cells: string
  readonly now: Doc | Row
  readonly old: Doc | Row | undefined
}

function outgoingLinks(
  { links }: DocTypeParts,
  before: Doc | undefined,
  after: Doc,
  registry: Registry,
  problems: Detail[],
): OutgoingLink[] {
  const found: OutgoingLink[] = []
  const place = { prefix: '', cells: '', now: after, old: before }
  addLinks(links.own, place, registry, found, problems)
  for (const { table, fields } of links.tables) {
    const oldRows = new Map(
      (before ? rowsOf(before, table) : []).map((row): [string, Row] => [row.row_id, row]),
    )
    for (const [index, row] of rowsOf(after, table).entries()) {
      const inRow = {
        prefix: `${table}[${index}].`,
        cells: `${table}.`,
        now: row,
        old: oldRows.get(row.row_id),
      }
      addLinks(fields, inRow, registry, found, problems)
    }
  }
  return found
}

function addLinks(
  fields: readonly Field[],
  { prefix, cells, now, old }: Place,
  registry: Registry,
  found: OutgoingLink[],
  problems: Detail[],
): void {
  for (const { name: field, link, linkFrom, linkTable } of fields) {
    const name = now[field] ?? null
    if (name === null) continue
    const path = prefix + field
    const doctype = link ?? now[linkFrom!]
    if (typeof doctype !== 'string') {
      problems.push({ field: path, message: `expected ${linkFrom} to name the DocType first` })
      continue
    }
    if (linkFrom !== undefined && !registry.byDoctype(doctype)) {
      problems.push({
        field: prefix + linkFrom,
        message: `expected a DocType, got ${JSON.stringify(doctype)}`,
      })
      continue
    }
    const changed =
      (old?.[field] ?? null) !== name ||
      (linkFrom !== undefined && (old?.[linkFrom] ?? null) !== doctype)
    found.push({
      path,
      cell: cells + field,
      doctype,
      name: String(name),
      changed,
      ...(linkTable === undefined ? {} : { table: linkTable }),
    })
  }
}

/** The link fields of a DocType and of its tables: most fields are none. */
export function linkFieldsOf({ fields }: DocTypeDefinition): LinkFields {
  const isLink = ({ link, linkFrom }: Field): boolean =>
    link !== undefined || linkFrom !== undefined
  return {
    own: fields.filter(isLink),
    tables: fields.flatMap(({ name, child }) => {
      const columns = child?.fields.filter(isLink) ?? []
      return columns.length === 0 ? [] : [{ table: name, fields: columns }]
    }),
  }
}
