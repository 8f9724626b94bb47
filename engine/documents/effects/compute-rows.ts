import type { Detail } from '../../base/errors.ts'
import { VOUCHER_NO, VOUCHER_TYPE } from '../../definition/model/ledger-fields.ts'
import type { Alike } from '../../rules/program/compute.ts'
import type { Like } from '../../rules/program/followers.ts'
import { cloneDoc, type Doc } from '../../storage/database/document.ts'
import type { Copies } from '../../storage/records/record-insert.ts'
import { readBonds } from '../links/bonds.ts'
import { readLinked } from '../links/linked.ts'
import type { DocTypeParts } from '../work/context.ts'
import type { Work } from '../work/work.ts'
import { amountColumns, postingRefused } from './ledger-amounts.ts'
import { dateFieldOf } from './posting-day.ts'

/** Rows from which on those are found that are like each other but for their amounts and documents. */
const MANY_ROWS = 8

/**
 * Rows of a posting as a ledger has them: computed and checked as every record is. Of many, those that differ in amount,
 * document and day alone are computed like the first of their kind. Throws VALIDATION_ERROR for what the ledger does not take.
 */
export async function computeRows(
  work: Work,
  ledger: DocTypeParts,
  rows: readonly Doc[],
  trusted: ReadonlySet<string>,
): Promise<ComputedRows> {
  const { fields } = ledger.definition
  if (rows.length < MANY_ROWS || fields.some(({ child }) => child))
    return { rows: await computeTogether(work, ledger, rows, trusted), copies: NO_COPIES }
  const kindOf = kindsOfRows(ledger)
  const kinds = Map.groupBy(rows, kindOf)
  const [one, ...others] = [...kinds.values()].map(([first]) => first!)
  // What the first reads nearly all need, and each time something is to be read all are computed anew.
  const firsts = [
    ...(await computeTogether(work, ledger, [one!], trusted)),
    ...(await computeTogether(work, ledger, others, trusted)),
  ]
  const computed = new Map<Doc, Doc>()
  const likeOf = new Map<Doc, Doc>()
  const changed = new Set<string>()
  const take = async (likes: readonly AlikeRow[]): Promise<void> => {
    for (const [at, alike] of (await computeAlike(work, ledger, likes, trusted)).entries()) {
      const { row: given, like } = likes[at]!
      computed.set(given, alike.doc)
      likeOf.set(alike.doc, like.computed)
      for (const name of alike.changed) changed.add(name)
    }
  }
  // What follows from the day is asked for once for each.
  const date = dateFieldOf(ledger.definition) ?? ''
  const ofDays: AlikeRow[] = []
  const ofRest: { readonly row: Doc; readonly day: Doc }[] = []
  for (const [at, [given, ...alike]] of [...kinds.values()].entries()) {
    const like = { given: given!, computed: firsts[at]! }
    computed.set(like.given, like.computed)
    const days = new Map([[like.given[date], like.given]])
    for (const row of alike) {
      const day = days.get(row[date])
      if (day) ofRest.push({ row, day })
      else {
        days.set(row[date], row)
        ofDays.push({ row, like })
      }
    }
  }
  await take(ofDays)
  await take(
    ofRest.map(({ row, day: given }) => ({ row, like: { given, computed: computed.get(given)! } })),
  )
  const copies: Copies = { of: (row) => likeOf.get(row), changed }
  return { rows: rows.map((row) => computed.get(row)!), copies }
}

/** Rows of a ledger that are computed, and for some of them one before that they are like. */
export interface ComputedRows {
  readonly rows: readonly Doc[]
  readonly copies: Copies
}

const NO_COPIES: Copies = { of: () => undefined, changed: new Set() }

/** A row that is like another one. */
interface AlikeRow {
  readonly row: Doc
  readonly like: Like
}

/** Fields in which rows of a kind differ: amounts, document and day. */
function ownFieldsOf({ definition }: DocTypeParts): readonly string[] {
  const date = dateFieldOf(definition)
  return [...amountColumns(definition), VOUCHER_NO, ...(date === undefined ? [] : [date])]
}

/** What rows of a kind have in common, as a text. */
function kindsOfRows(ledger: DocTypeParts): (row: Doc) => string {
  const own = new Set(ownFieldsOf(ledger))
  const names = ledger.definition.fields.map(({ name }) => name).filter((name) => !own.has(name))
  return (row) => {
    let kind = ''
    for (let at = 0; at < names.length; at += 1) {
      const value = row[names[at]!] ?? null
      if (value !== null) kind += `${at}\0${value}\0`
    }
    return kind
  }
}

async function computeAlike(
  work: Work,
  ledger: DocTypeParts,
  likes: readonly AlikeRow[],
  trusted: ReadonlySet<string>,
): Promise<readonly Alike[]> {
  const { rules } = ledger.behaviour
  const { reads, environment } = work
  const among = ownFieldsOf(ledger)
  const links = new Set(
    ledger.definition.fields
      .filter(({ link, linkFrom }) => link ?? linkFrom)
      .map(({ name }) => name),
  )
  const isLinked = (row: Doc, { computed }: Like, changed: ReadonlySet<string>): boolean => {
    for (const name of changed) {
      if (!links.has(name) || (row[name] ?? null) === (computed[name] ?? null)) continue
      if (name !== VOUCHER_NO || !trusted.has(`${row[VOUCHER_TYPE]}\0${row[VOUCHER_NO]}`))
        return true
    }
    return false
  }
  for (;;) {
    const problems: Detail[] = []
    const linked: { readonly row: Doc }[] = []
    const computed = likes.map(({ row, like }) => {
      const alike = rules.computeLike(row, like, reads, environment, among)
      for (const one of alike.problems) problems.push(one)
      if (isLinked(alike.doc, like, alike.changed)) linked.push({ row: alike.doc })
      return alike
    })
    if (await reads.fill()) continue
    problems.push(...(await problemsOfLinks(work, ledger, linked, trusted)))
    if (await reads.fill()) continue
    if (problems.length > 0) throw postingRefused(ledger.definition, problems)
    return computed
  }
}

/** What is wrong with a row that is not written: a copy of it is computed and checked. Reads what that needs. */
export async function problemsOfRow(
  { reads, environment }: Work,
  { behaviour: { rules } }: Pick<DocTypeParts, 'behaviour'>,
  row: Doc,
): Promise<readonly Detail[]> {
  for (;;) {
    const tried = cloneDoc(row)
    const problems = [
      ...rules.compute(tried, undefined, reads, environment),
      ...rules.problems(tried, undefined, reads, environment),
    ]
    if (!(await reads.fill())) return problems
  }
}

/**
 * Where the database is elsewhere, reads what the first of several rows asks for: it is nearly all that the others need, and each time
 * something is to be read all of them are computed anew.
 */
async function readForFirst(work: Work, ledger: DocTypeParts, rows: readonly Doc[]): Promise<void> {
  if (rows.length > 2 && work.context.services.database.kind === 'postgres')
    await problemsOfRow(work, ledger, rows[0]!)
}

async function computeTogether(
  work: Work,
  ledger: DocTypeParts,
  rows: readonly Doc[],
  trusted: ReadonlySet<string>,
): Promise<readonly Doc[]> {
  const { rules } = ledger.behaviour
  const { reads, environment } = work
  const broken: Detail[] = []
  for (const row of rows)
    broken.push(...(await readLinked(work, ledger, row, { before: undefined, trusted })))
  await readForFirst(work, ledger, rows)
  for (;;) {
    const computed = rows.map((row) => cloneDoc(row))
    const problems: Detail[] = [...broken]
    for (const row of computed) {
      problems.push(...rules.compute(row, undefined, reads, environment))
      problems.push(...rules.problems(row, undefined, reads, environment))
    }
    if (await reads.fill()) continue
    const linked = computed.map((row, index) => ({ row, seen: rows[index] }))
    problems.push(...(await problemsOfLinks(work, ledger, linked, trusted)))
    if (await reads.fill()) continue
    if (problems.length > 0) throw postingRefused(ledger.definition, problems)
    return computed
  }
}

async function problemsOfLinks(
  work: Work,
  ledger: DocTypeParts,
  rows: readonly { readonly row: Doc; readonly seen?: Doc | undefined }[],
  trusted: ReadonlySet<string>,
): Promise<readonly Detail[]> {
  const problems: Detail[] = []
  for (const { row, seen } of rows) {
    const look = { before: undefined, ...(seen && { seen }), trusted }
    problems.push(...(await readLinked(work, ledger, row, look)))
    problems.push(...(await readBonds(work, ledger, row, look)))
  }
  return problems
}
