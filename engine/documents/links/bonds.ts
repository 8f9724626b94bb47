import type { Detail } from '../../base/errors.ts'
import { bondOf } from '../../definition/model/bond.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { type Doc, type Row, rowsOf, valueIn } from '../../storage/database/document.ts'
import { stateOf } from '../../storage/records/record-store.ts'
import { type Look, nameKey } from '../record/outgoing-links.ts'
import type { BondedLink, DocTypeParts } from '../work/context.ts'
import type { Work } from '../work/work.ts'

/** Links of a DocType and of its tables whose records must belong to what the document belongs to. */
export function bondedLinksOf(
  definition: DocTypeDefinition,
  registry: Registry,
): readonly BondedLink[] {
  const bonded: BondedLink[] = []
  for (const field of definition.fields) {
    const bond = bondOf(registry, definition, field)
    if (bond) bonded.push({ field: field.name, table: undefined, bond })
    for (const column of field.child?.fields ?? []) {
      const inRow = bondOf(registry, definition, column, field.child!.fields)
      if (inRow) bonded.push({ field: column.name, table: field.name, bond: inRow })
    }
  }
  return bonded
}

/**
 * Problems of links to records that belong to another owner than the computed document, such as an account of another
 * company, and of an owner that has been changed. What `readLinked` has looked at is not read again; nor is what rules
 * have taken from the owner itself.
 */
export async function readBonds(
  work: Work,
  parts: DocTypeParts,
  after: Doc,
  look: Pick<Look, 'before' | 'trusted'>,
): Promise<readonly Detail[]> {
  const named = namedOf(parts, after, look.before)
  await readOwners(work, parts, named, look.trusted)
  const problems = changedOwner(parts.definition, after, look.before)
  for (const { path, name, ours, link } of named) {
    const theirs = ownerOf(work, link.bond.doctype, name)
    if (theirs === undefined || theirs === null || theirs === ours) continue
    const { doctype, owner } = link.bond
    const message = `expected one of the ${owner} ${JSON.stringify(ours)}, got the ${doctype} ${JSON.stringify(name)} of ${JSON.stringify(theirs)}`
    problems.push({ field: path, message, code: 'rule' })
  }
  return problems
}

/** A link that is to be judged: where it stands, what it names, and what the document belongs to there. */
interface NamedRecord {
  readonly link: BondedLink
  readonly path: string
  readonly name: string
  readonly ours: string
  /** Whether the link is as it was: then the document belongs to another now. */
  readonly isKept: boolean
}

/** The links that are not as they were, or whose document now belongs to another. */
function namedOf(
  { bonds }: DocTypeParts,
  after: Doc,
  before: Doc | undefined,
): readonly NamedRecord[] {
  const named: NamedRecord[] = []
  const add = (link: BondedLink, path: string, now: Doc | Row, old: Doc | Row | undefined) => {
    const { field, bond } = link
    const name = now[field]
    const ours = (bond.isOfRow ? now : after)[bond.ours]
    if (typeof name !== 'string' || typeof ours !== 'string') return
    const wasOurs = (bond.isOfRow ? old : before)?.[bond.ours]
    const isKept = old?.[field] === name
    if (!isKept || wasOurs !== ours) named.push({ link, path, name, ours, isKept })
  }
  const oldByTable = new Map<string, ReadonlyMap<string, Row>>()
  for (const link of bonds) {
    const { field, table } = link
    if (table === undefined) {
      add(link, field, after, before)
      continue
    }
    const oldRows = before ? (oldByTable.get(table) ?? rowsById(before, table)) : NO_ROWS
    oldByTable.set(table, oldRows)
    for (const [index, row] of rowsOf(after, table).entries())
      add(link, `${table}[${index}].${field}`, row, oldRows.get(row.row_id))
  }
  return named
}

const NO_ROWS: ReadonlyMap<string, Row> = new Map()

function rowsById(doc: Doc, table: string): ReadonlyMap<string, Row> {
  return new Map(rowsOf(doc, table).map((row) => [row.row_id, row]))
}

/** Reads what the records belong to that nobody has looked at: one statement a DocType. */
async function readOwners(
  work: Work,
  { behaviour }: DocTypeParts,
  named: readonly NamedRecord[],
  trusted: Look['trusted'],
): Promise<void> {
  const unread = new Map<string, Set<string>>()
  for (const { link, name, isKept } of named) {
    const { doctype } = link.bond
    const cell = link.table === undefined ? link.field : `${link.table}.${link.field}`
    if (!isKept && behaviour.rules.ownLinks.has(cell)) continue
    if (trusted?.has(nameKey({ doctype, name }))) continue
    if (ownerOf(work, doctype, name) !== undefined) continue
    const names = unread.get(doctype) ?? new Set()
    unread.set(doctype, names.add(name))
  }
  const { registry, partsOf } = work.context.services
  for (const [doctype, names] of unread) {
    const { store } = partsOf(registry.byDoctype(doctype)!)
    const states = await store.hold(work.tx, [...names])
    const known = work.linkTargets.get(doctype) ?? new Map()
    work.linkTargets.set(doctype, known)
    for (const [name, state] of states) known.set(name, { ...state, isHeld: true })
  }
}

/** What a record belongs to, null for nobody; undefined where it has not been looked at, or is not there. */
function ownerOf(work: Work, doctype: string, name: string): string | null | undefined {
  const own = work.touched.get(`${doctype}\0${name}`)
  if (own) return own.current && stateOf(own.parts.definition, own.current).belongsTo
  return work.linkTargets.get(doctype)?.get(name)?.belongsTo
}

/** What a record belongs to can be given, but not changed: others of its owner name it. */
function changedOwner(
  { belongsTo, doctype }: DocTypeDefinition,
  after: Doc,
  before: Doc | undefined,
): Detail[] {
  const was = belongsTo === undefined || !before ? null : valueIn(before, belongsTo)
  if (was === null || was === valueIn(after, belongsTo!)) return []
  const message = `the ${doctype} belongs to ${JSON.stringify(was)}, which cannot change; make another one`
  return [{ field: belongsTo!, message, code: 'rule' }]
}
