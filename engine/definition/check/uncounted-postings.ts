import type { ActionStep, DocTypeDefinition } from '../model/definition.ts'
import type { Registry } from '../model/registry.ts'
import type { Path } from '../yaml/parse.ts'
import type { DefinitionProblem } from '../yaml/problems.ts'
import type { FilePlace } from '../yaml/source.ts'

/**
 * Warnings about postings that set what a ledger counts (`ledger.counts`), such as the party of a receivable account,
 * by DocTypes that none of its invariants reads: nothing there knows what is still owed, and the proof of the books
 * fails. Who posts for each record of a DocType that is counted posts what that leaves open. They are no mistakes: what is
 * posted may come to nothing before anybody looks.
 */
export function uncountedPostings(
  registry: Registry,
  positions: (doctype: string, path: Path) => FilePlace | undefined,
): readonly DefinitionProblem[] {
  const warnings: DefinitionProblem[] = []
  for (const ledger of registry.all) {
    const counts = ledger.behaviour.ledger?.counts ?? []
    if (counts.length === 0) continue
    const counted = countedBy(ledger)
    for (const definition of registry.all) {
      if (counted(definition)) continue
      for (const { path, field, from } of postingsOf(definition, ledger.doctype, counts)) {
        const source = from === undefined ? undefined : registry.byDoctype(from)
        if (source && counted(source)) continue
        const place = positions(definition.doctype, path)
        const message = warningOf(definition, ledger, field)
        if (place) warnings.push({ ...place, message })
      }
    }
  }
  return warnings
}

/** Whether an invariant of the ledger reads a DocType. */
function countedBy({ behaviour }: DocTypeDefinition): (definition: DocTypeDefinition) => boolean {
  const terms = (behaviour.invariants ?? []).flatMap((invariant) => invariant.terms)
  const names = new Set(terms.map(({ from }) => from?.split('.')[0]))
  const kinds = new Set(terms.map(({ declaring }) => declaring))
  return ({ doctype, declares = [] }) =>
    names.has(doctype) || declares.some((name) => kinds.has(name))
}

interface Posting {
  readonly path: Path
  readonly field: string
  /** DocType of the records that it posts a row for each of. */
  readonly from: string | undefined
}

/** Rows of a ledger that steps of a DocType post with one of these fields. */
function postingsOf(
  { behaviour }: DocTypeDefinition,
  ledger: string,
  fields: readonly string[],
): readonly Posting[] {
  const lists: readonly (readonly [Path, readonly ActionStep[]])[] = [
    [['effects', 'submit'], behaviour.effects?.submit ?? []],
    ...Object.entries(behaviour.actions ?? {}).map(
      ([name, { steps = [] }]) => [['actions', name, 'steps'], steps] as const,
    ),
  ]
  return lists.flatMap(([path, steps]) =>
    steps.flatMap((step, index) => {
      if (!('post' in step) || step.post !== ledger) return []
      return step.rows.flatMap(({ set, each }, row) => {
        const from =
          typeof each === 'object' && 'from' in each ? each.from.split('.')[0] : undefined
        return fields
          .filter((field) => field in set)
          .map((field) => ({ path: [...path, index, 'rows', row, 'set', field], field, from }))
      })
    }),
  )
}

function warningOf(
  { doctype }: DocTypeDefinition,
  { label, behaviour }: DocTypeDefinition,
  field: string,
): string {
  const kinds = (behaviour.invariants ?? []).flatMap(({ terms }) =>
    terms.flatMap(({ declaring }) => (declaring === undefined ? [] : [`${declaring}:`])),
  )
  const words = [...new Set(kinds)].join(' or ')
  const way = words === '' ? 'let an invariant count it' : `declare ${words} instead`
  return `warning: posts to ${label} with a ${field}, but nothing counts what is left open of a ${doctype}: no payment can refer to it, no ageing shows it, and \`svc verify\` finds a difference; ${way} (docs/doctypes/cookbook/payable.md)`
}
