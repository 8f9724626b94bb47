import { allDone } from '../../base/all-done.ts'
import { type Detail, validationError } from '../../base/errors.ts'
import type { Doc } from '../../storage/database/document.ts'
import { statesOfRows } from '../../storage/finding/rows-by-id.ts'
import { type RecordState, stateOf } from '../../storage/records/record-store.ts'
import { type Look, nameKey, type OutgoingLink, outgoingLinks } from '../record/outgoing-links.ts'
import { hiddenTargets } from '../rights/door.ts'
import type { DocTypeParts, Services } from '../work/context.ts'
import type { LinkTarget, Work } from '../work/work.ts'
import { hintsOf } from './hints.ts'

/** The records, or rows of some, that links name, by name. */
type Targets = ReadonlyMap<string, RecordState | undefined>

/**
 * Reads what a document links to and says which links do not hold: a record that does not exist, a cancelled
 * one, and, when the document is submitted, a draft (rules.md §4.2, Links). A link that did not change holds:
 * nobody can delete what is linked to; at submit those to submittable documents are looked at again. The
 * records are known to `work.reads` afterwards, those that the caller may not read as not there.
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
  const named = links.filter(({ isKnown }) => !isKnown)
  const kinds = kindsOf(named, reads, { isChecked: submitting, isRead: after.docstatus !== 0 })
  // None needs what another gives, so the database has them all at once.
  await allDone(
    [...kinds.values()].map(async (kind) => {
      kind.targets = await knownTargets(work, kind)
    }),
  )
  const changed = links.filter((link) => link.changed)
  const hidden = await hiddenTargets(work, changed)
  const hinted = hintsOf(work)
  for (const link of links) {
    if (!link.changed && !submitting) continue
    const isHidden = link.changed && hidden.size > 0 && hidden.has(nameKey(link))
    if (isHidden) work.reads.hide(link.doctype, link.name)
    else if (link.isKnown) continue
    const target = isHidden ? undefined : kinds.get(keyOf(link))?.targets?.get(link.name)
    const problem = linkProblem(link, target, services, submitting)
    if (!problem) continue
    const isBroken = problem.code === 'no_such_record' && link.table === undefined
    problems.push(isBroken ? await hinted(problem, link) : problem)
  }
  return problems
}

const NONE: ReadonlySet<string> = new Set()

/** Refuses a body that is wrong with all that is: its problems, and those of the links it has, as far as it was read. */
export async function refuseWithLinks(
  work: Work,
  parts: DocTypeParts,
  body: { readonly after: Doc; readonly before?: Doc; readonly problems: readonly Detail[] },
): Promise<never> {
  const { after, before, problems } = body
  throw validationError([...problems, ...(await readLinked(work, parts, after, { before }))])
}

/** The links of a document into one DocType, or one table of it; a document has few such kinds. */
interface LinkKind {
  /** The first of them. */
  readonly link: OutgoingLink
  readonly names: Set<string>
  /** True where the targets must be there until the commit. */
  isChecked: boolean
  /** True where rules look into the targets; else that they are there is enough. */
  isRead: boolean
  targets?: Targets
}

/** Links by kind; `reads` has the cells that rules look into, `all` is what holds for every link anyway. */
function kindsOf(
  links: readonly OutgoingLink[],
  reads: ReadonlySet<string>,
  all: Pick<LinkKind, 'isChecked' | 'isRead'>,
): ReadonlyMap<string, LinkKind> {
  const kinds = new Map<string, LinkKind>()
  for (const link of links) {
    const key = keyOf(link)
    let kind = kinds.get(key)
    if (!kind) {
      kind = { link, names: new Set(), ...all }
      kinds.set(key, kind)
    }
    kind.names.add(link.name)
    kind.isChecked ||= link.changed
    kind.isRead ||= reads.has(link.cell)
  }
  return kinds
}

/** The targets of one kind of link: images of this transaction first, then what it has looked at, then the database. */
async function knownTargets(work: Work, kind: LinkKind): Promise<Targets> {
  const { link, names, isChecked } = kind
  const key = keyOf(link)
  const known = work.linkTargets.get(key) ?? new Map<string, LinkTarget | undefined>()
  work.linkTargets.set(key, known)
  const targets = new Map<string, RecordState | undefined>()
  const unread: string[] = []
  for (const name of names) {
    const own = link.table === undefined ? work.touched.get(`${link.doctype}\0${name}`) : undefined
    const read = known.get(name)
    if (own) targets.set(name, own.current && stateOf(own.parts.definition, own.current))
    else if (known.has(name) && (!read || read.isHeld || !isChecked)) targets.set(name, read)
    else unread.push(name)
  }
  if (unread.length === 0) return targets
  const read = await readTargets(work, kind, unread)
  for (const name of unread) {
    const target = read.get(name)
    known.set(name, target && { ...target, isHeld: isChecked })
    targets.set(name, target)
  }
  return targets
}

function keyOf({ doctype, table }: OutgoingLink): string {
  return table === undefined ? doctype : `${doctype}.${table}`
}

function linkProblem(
  { path, doctype, table, name, isFollowed, isOfDrafts }: OutgoingLink,
  target: RecordState | undefined,
  { registry }: Services,
  submitting: boolean,
): Detail | undefined {
  const what = table === undefined ? doctype : `row of ${doctype}.${table}`
  if (!target) return noSuchRecord(path, what, name)
  // One may write about what is cancelled.
  if (isFollowed || !registry.byDoctype(doctype)?.submittable) return undefined
  const which = table === undefined ? `${doctype} ${JSON.stringify(name)}` : `the ${what}`
  if (target.docstatus === 2) {
    const message = `${which} is cancelled; name a live one`
    return { field: path, message, code: 'cancelled_record' }
  }
  if (target.docstatus === 0 && submitting && !isOfDrafts)
    return { field: path, message: `${which} is a draft; submit it first`, code: 'draft_record' }
  return undefined
}

/** Detail of a link that names nothing, or what the caller may not read: nobody can tell which. */
export function noSuchRecord(field: string, what: string, name: string): Detail {
  const message = `expected an existing ${what}, got ${JSON.stringify(name)}`
  return { field, message, code: 'no_such_record' }
}

/**
 * Targets of the links of one kind, by name. Those that are checked are held until the change is committed:
 * without it another process on PostgreSQL could delete or cancel the target between our look and our commit.
 */
async function readTargets(
  { tx, context: { services }, reads }: Work,
  { link: { doctype, table }, isChecked, isRead }: LinkKind,
  names: readonly string[],
): Promise<Targets> {
  const definition = services.registry.byDoctype(doctype)
  if (!definition) return new Map()
  if (table !== undefined) {
    const tables = { table: definition.table, child: `${definition.table}__${table}` }
    return statesOfRows(tx, services.database.kind, tables, names, isChecked)
  }
  const { store } = services.partsOf(definition)
  if (!isRead) return store.hold(tx, names)
  const docs = await (isChecked ? store.findHeld(tx, names) : store.findShared(tx, names))
  const states = new Map<string, RecordState>()
  for (const [name, doc] of docs) {
    reads.cacheRead(doctype, name, doc)
    if (doc) states.set(name, stateOf(definition, doc))
  }
  return states
}
