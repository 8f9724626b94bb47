import type { Detail } from '../../base/errors.ts'
import { VOUCHER_NO, VOUCHER_TYPE } from '../../definition/model/ledger-fields.ts'
import type { Like } from '../../rules/program/compute.ts'
import { cloneDoc, type Doc } from '../../storage/database/document.ts'
import { readBonds } from '../links/bonds.ts'
import { readLinked } from '../links/linked.ts'
import type { DocTypeParts } from '../work/context.ts'
import type { Work } from '../work/work.ts'
import { amountColumns, postingRefused } from './ledger-amounts.ts'

/** Rows from which on those are found that are like each other but for their amounts and documents. */
const MANY_ROWS = 8

/**
 * Rows of a posting as a ledger has them: computed and checked as every record is. Of many, those that differ in amount and
 * document alone are computed like the first of their kind. Throws VALIDATION_ERROR for what the ledger does not take.
 */
export async function computeRows(
  work: Work,
  ledger: DocTypeParts,
  rows: readonly Doc[],
  trusted: ReadonlySet<string>,
): Promise<readonly Doc[]> {
  const { fields } = ledger.definition
  if (rows.length < MANY_ROWS || fields.some(({ child }) => child))
    return computeTogether(work, ledger, rows, trusted)
  const kindOf = kindsOfRows(ledger)
  const kinds = Map.groupBy(rows, kindOf)
  const [one, ...others] = [...kinds.values()].map(([first]) => first!)
  // What the first reads nearly all need, and each time something is to be read all are computed anew.
  const firsts = [
    ...(await computeTogether(work, ledger, [one!], trusted)),
    ...(await computeTogether(work, ledger, others, trusted)),
  ]
  const computed = new Map<Doc, Doc>()
  const likes: AlikeRow[] = []
  for (const [at, [given, ...alike]] of [...kinds.values()].entries()) {
    const like = { given: given!, computed: firsts[at]! }
    computed.set(like.given, like.computed)
    for (const row of alike) likes.push({ row, like })
  }
  for (const [at, row] of (await computeAlike(work, ledger, likes, trusted)).entries())
    computed.set(likes[at]!.row, row)
  return rows.map((row) => computed.get(row)!)
}

/** A row that is like another one. */
interface AlikeRow {
  readonly row: Doc
  readonly like: Like
}

/** What rows have in common that differ in amount and document alone, as a text. */
function kindsOfRows({ definition }: DocTypeParts): (row: Doc) => string {
  const amounts = new Set(amountColumns(definition))
  const names = definition.fields
    .map(({ name }) => name)
    .filter((name) => name !== VOUCHER_NO && !amounts.has(name))
  return (row) => names.map((name) => String(row[name] ?? '')).join('\0')
}

async function computeAlike(
  work: Work,
  ledger: DocTypeParts,
  likes: readonly AlikeRow[],
  trusted: ReadonlySet<string>,
): Promise<readonly Doc[]> {
  const { rules } = ledger.behaviour
  const { reads, environment } = work
  const links = new Set(
    ledger.definition.fields
      .filter(({ link, linkFrom }) => link ?? linkFrom)
      .map(({ name }) => name),
  )
  const isLinked = (row: Doc, changed: ReadonlySet<string>): boolean =>
    [...changed].some(
      (name) =>
        links.has(name) &&
        (name !== VOUCHER_NO || !trusted.has(`${row[VOUCHER_TYPE]}\0${row[VOUCHER_NO]}`)),
    )
  for (;;) {
    const problems: Detail[] = []
    const linked: { readonly row: Doc }[] = []
    const computed = likes.map(({ row: given, like }) => {
      const row = cloneDoc(given)
      const found = rules.computeLike(row, like, reads, environment)
      problems.push(...found.problems)
      if (isLinked(row, found.changed)) linked.push({ row })
      return row
    })
    if (await reads.fill()) continue
    problems.push(...(await problemsOfLinks(work, ledger, linked, trusted)))
    if (await reads.fill()) continue
    if (problems.length > 0) throw postingRefused(ledger.definition, problems)
    return computed
  }
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
