import { CANCELLED_LINK, NO_SUCH_RECORD } from '../base/detail-kinds.ts'
import type { Detail } from '../base/errors.ts'
import type { DocTypeDefinition, Field } from '../definition/definition.ts'
import type { Registry } from '../definition/registry.ts'
import { type Doc, type Row, rowsOf } from '../storage/document.ts'
import type { DocTypeParts, LinkField, LinkFields, Services } from './context.ts'
import { hiddenTargets } from './hidden-targets.ts'
import type { LinkTarget, Work } from './work.ts'

/** A link of a record: where it stands and what it names. */
interface OutgoingLink {
  readonly path: string
  /** The field as rules name it: `customer`, `items.item_code`. */
  readonly cell: string
  readonly doctype: string
  readonly table: string | undefined
  readonly name: string
  /** The value differs from the one before the change. */
  readonly changed: boolean
}

/** A record, or the row of one, that a link names. */
interface Target {
  readonly docstatus: number
}

type Targets = ReadonlyMap<string, Target | undefined>

/** What a look at links goes by. */
interface Look {
  /** The image before the change. */
  readonly before: Doc | undefined
  /** An image whose links have been looked at: only what differs from it is. */
  readonly seen?: Doc
  /** Names (`DocType\0name`) that are known to be there, e.g. because the voucher of a ledger's row links to them. */
  readonly trusted?: ReadonlySet<string>
}

/**
 * Reads what a document links to and says which links do not hold: a record that does not exist, a cancelled
 * one, and, when the document is submitted, a draft (rules.md §4.2, Links). A link that did not change holds:
 * nobody can delete what is linked to; at submit those to submittable documents are looked at again. The
 * records are known to `work.reads` afterwards.
 */
export async function readLinked(
  work: Work,
  parts: DocTypeParts,
  after: Doc,
  look: Look,
): Promise<readonly Detail[]> {
  const { services } = work.context
  const problems: Detail[] = []
  const submitting = after.docstatus === 1 && look.before?.docstatus !== 1
  const reads = after.docstatus === 0 ? parts.behaviour.rules.fetchedLinks : NONE
  const links = outgoingLinks(parts, after, look, services.registry, problems).filter(
    ({ changed, cell, doctype }) =>
      changed ||
      reads.has(cell) ||
      (submitting && services.registry.byDoctype(doctype)?.submittable === true),
  )
  if (links.length === 0) return problems
  const kinds: LinkKind[] = []
  for (const link of links) {
    let kind = kindOf(kinds, link)
    if (!kind) {
      kind = { link, names: new Set(), isChecked: submitting, isRead: after.docstatus !== 0 }
      kinds.push(kind)
    }
    kind.names.add(link.name)
    kind.isChecked ||= link.changed
    kind.isRead ||= reads.has(link.cell)
  }
  for (const kind of kinds) kind.targets = await knownTargets(work, kind)
  const hidden = look.seen
    ? NONE
    : await hiddenTargets(
        work,
        links.filter(({ changed }) => changed),
      )
  for (const link of links) {
    if (!link.changed && !submitting) continue
    const isHidden = link.changed && hidden.has(`${link.doctype}\0${link.name}`)
    const target = isHidden ? undefined : kindOf(kinds, link)?.targets?.get(link.name)
    const message = linkProblem(link, target, services, submitting)
    if (message !== undefined) problems.push({ field: link.path, message })
  }
  return problems
}

const NONE: ReadonlySet<string> = new Set()

/** The links of a document into one DocType, or one table of it; a document has few such kinds. */
interface LinkKind {
  /** The first of them. */
  readonly link: OutgoingLink
  readonly names: Set<string>
  /** What they name must be there until the commit. */
  isChecked: boolean
  /** Rules look into it; else that it is there is enough. */
  isRead: boolean
  targets?: Targets
}

function kindOf(
  kinds: readonly LinkKind[],
  { doctype, table }: OutgoingLink,
): LinkKind | undefined {
  return kinds.find(({ link }) => link.doctype === doctype && link.table === table)
}

/** The targets of one kind of link: images of this transaction first, then what it has looked at, then the database. */
async function knownTargets(work: Work, kind: LinkKind): Promise<Targets> {
  const { link, names, isChecked } = kind
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
  const read = await readTargets(work, kind, unread)
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
  if (!target) return `${NO_SUCH_RECORD} ${what}, got ${JSON.stringify(name)}`
  if (!registry.byDoctype(doctype)?.submittable) return undefined
  const which = table === undefined ? `${doctype} ${JSON.stringify(name)}` : `the ${what}`
  if (target.docstatus === 2) return `${which} ${CANCELLED_LINK}`
  if (target.docstatus === 0 && submitting) return `${which} is a draft; submit it first`
  return undefined
}

/**
 * What the links of one kind name. Those that are checked are held until the change is committed: without
 * it another process on PostgreSQL could delete or cancel the target between our look and our commit.
 */
async function readTargets(
  { tx, context: { services }, reads }: Work,
  { link: { doctype, table }, isChecked, isRead }: LinkKind,
  names: readonly string[],
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
  const { store } = services.partsOf(definition)
  if (!isRead) return store.hold(tx, names)
  if (isHeld) await store.hold(tx, names)
  const docs = await store.findMany(tx, names)
  for (const name of names) reads.know(doctype, name, docs.get(name) ?? null)
  return docs
}

/** Where links are looked for: a document or a row, as it is, as it was, and as it was looked at. */
interface Place {
  readonly prefix: string
  readonly cells: string
  readonly now: Doc | Row
  readonly old: Doc | Row | undefined
  readonly seen: Doc | Row | undefined
  readonly isSecondLook: boolean
}

function outgoingLinks(
  { links }: DocTypeParts,
  after: Doc,
  { before, seen, trusted }: Look,
  registry: Registry,
  problems: Detail[],
): OutgoingLink[] {
  const found: OutgoingLink[] = []
  const isSecondLook = seen !== undefined
  const top = { prefix: '', cells: '', now: after, old: before, seen, isSecondLook }
  addLinks(links.own, top, registry, found, problems)
  for (const { table, fields } of links.tables) {
    const oldRows = new Map(
      (before ? rowsOf(before, table) : []).map((row): [string, Row] => [row.row_id, row]),
    )
    const seenRows = seen ? rowsOf(seen, table) : []
    for (const [index, row] of rowsOf(after, table).entries()) {
      const seenRow = seenRows[index]?.row_id === row.row_id ? seenRows[index] : undefined
      const inRow = {
        prefix: `${table}[${index}].`,
        cells: `${table}.`,
        now: row,
        old: oldRows.get(row.row_id),
        seen: seenRow,
        isSecondLook,
      }
      addLinks(fields, inRow, registry, found, problems)
    }
  }
  if (!trusted) return found
  return found.filter(({ doctype, name }) => !trusted.has(`${doctype}\0${name}`))
}

function addLinks(
  fields: readonly LinkField[],
  { prefix, cells, now, old, seen, isSecondLook }: Place,
  registry: Registry,
  found: OutgoingLink[],
  problems: Detail[],
): void {
  for (const { name: field, link, linkFrom, linkTable, isFilledFromRecords } of fields) {
    const name = now[field] ?? null
    if (name === null) continue
    const path = prefix + field
    const doctype = link ?? now[linkFrom!]
    if (typeof doctype !== 'string') {
      // A default may still say what it is.
      if (isSecondLook)
        problems.push({ field: path, message: `expected ${linkFrom} to name the DocType first` })
      continue
    }
    if (isSecondLook) {
      const isSame = (seen?.[field] ?? null) === name
      if (isSame && (linkFrom === undefined || seen?.[linkFrom] === now[linkFrom])) continue
      // What the rules took from other records is there, since those link to it.
      if (!isSame && isFilledFromRecords) continue
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
      table: linkTable,
    })
  }
}

/** Everything a document names, as `DocType\0name`: what a ledger's row of it may name without a look. */
export function namesIn({ links }: DocTypeParts, doc: Doc): ReadonlySet<string> {
  const names = new Set<string>()
  const add = (fields: readonly LinkField[], values: Doc | Row): void => {
    for (const { name: field, link, linkFrom, linkTable } of fields) {
      const doctype = link ?? values[linkFrom!]
      const name = values[field]
      if (linkTable === undefined && typeof doctype === 'string' && typeof name === 'string')
        names.add(`${doctype}\0${name}`)
    }
  }
  add(links.own, doc)
  for (const { table, fields } of links.tables)
    for (const row of rowsOf(doc, table)) add(fields, row)
  return names
}

/** The link fields of a DocType and of its tables: most fields are none. */
export function linkFieldsOf({ fields }: DocTypeDefinition): LinkFields {
  return {
    own: fields.flatMap(linkField),
    tables: fields.flatMap(({ name, child }) => {
      const columns = child?.fields.flatMap(linkField) ?? []
      return columns.length === 0 ? [] : [{ table: name, fields: columns }]
    }),
  }
}

/** Only an expression with a text in it can name a record that nobody looked at. */
function linkField(field: Field): readonly LinkField[] {
  const { name, link, linkFrom, linkTable, default: initial, formula } = field
  if (link === undefined && linkFrom === undefined) return []
  const isWritten = [initial, formula].some((source) => source !== undefined && /["']/.test(source))
  const isFilledFromRecords = !isWritten && field.defaultValue === undefined
  return [{ name, link, linkFrom, linkTable, isFilledFromRecords }]
}
