import { type Detail, validationError } from '../../base/errors.ts'
import { publicDetails } from '../../fields/public-fields.ts'
import type { Doc } from '../../storage/database/document.ts'
import { takeTurn } from '../../storage/database/statements.ts'
import { runEffects, undoEffects } from '../effects/effects.ts'
import { lookBack } from '../history/look-back.ts'
import { guardAcyclicLinks } from '../links/acyclic-links.ts'
import { readBonds } from '../links/bonds.ts'
import { readLinked } from '../links/linked.ts'
import { knownParts } from '../rights/door.ts'
import { guardLimits } from '../rights/given-limits.ts'
import { guardPeople } from '../rights/people-guard.ts'
import { cascade } from '../work/cascade.ts'
import type { Touched } from '../work/touched.ts'
import { type Change, noteWrite, type Work, type Written } from '../work/work.ts'
import { insertRecord, updateRecord } from '../work/write-record.ts'
import { withAddedRows } from './added-rows.ts'
import { yieldAddress } from './yield-address.ts'

/**
 * The shared tail of every write, inside its transaction: linked records → rules → checks → name → rows →
 * search → effects → rollups (house.md, "One request"). Throws VALIDATION_ERROR with all problems at once;
 * nothing has been written then.
 */
export async function applyChange(work: Work, change: Change): Promise<Touched> {
  const { parts, before, kind } = change
  await takeTurn(work.tx)
  const after = await computeChange(work, change)
  await guardAcyclicLinks(work, parts, before, after)
  await yieldAddress(work, parts, before, after)
  if (before) await updateRecord(work, parts, before, after)
  else await insertRecord(work, change, after)
  const entry = noteWrite(work, parts, before, after, kind)
  await guardPeople(work, parts.definition, before, after)
  guardLimits(work, parts.definition, after)

  const writes: Written[] = []
  if (after.docstatus === 1 && before?.docstatus !== 1) await runEffects(work, entry, writes)
  if (after.docstatus === 2 && before?.docstatus === 1) await undoEffects(work, entry, writes)
  if (writes.length > 0) await lookBack(work, writes)
  // What other documents changed of the record meanwhile, made by its effects, was followed up with those.
  await cascade(work, [{ parts, before, after, isPassed: entry.current !== after }, ...writes])
  return entry
}

/** Wanted image with everything computed. Throws VALIDATION_ERROR for what is wrong with it. */
export async function computeChange(work: Work, change: Change): Promise<Doc> {
  const { computed, problems } = await computeWanted(work, change)
  if (problems.length === 0) return computed
  const { definition } = knownParts(work.context, change.parts)
  throw validationError(withoutRepeats(publicDetails(definition, problems)))
}

/**
 * Wanted image with everything computed that can be, and all that is wrong with it; computed again from the start while
 * rules ask for other records.
 */
export async function computeWanted(
  work: Work,
  { parts, before, after: given, moves, empty }: Omit<Change, 'kind'>,
): Promise<{ readonly computed: Doc; readonly problems: readonly Detail[] }> {
  const { rules } = parts.behaviour
  const { environment, reads } = work
  const sent = await readLinked(work, parts, given, { before })
  let after = given
  for (;;) {
    const computed = parts.store.clone(after)
    const failures = rules.compute(computed, before, reads, environment, empty)
    const problems = rules.problems(computed, before, reads, environment, moves)
    if (await reads.fill()) continue
    const more = withAddedRows(parts.definition, after, computed)
    if (more) {
      after = more
      continue
    }
    // Defaults have set links too, and said of what DocType others are.
    const filled = await readLinked(work, parts, computed, { before, seen: given })
    // What the caller may not read tells them nothing, not even by what it would have been refused for.
    if (await reads.fill()) continue
    const broken = work.context.isTrial ? [] : problems
    const all = [...sent, ...filled, ...failures, ...broken]
    const told = new Set(all.map(({ field }) => field))
    const bonds = await readBonds(work, parts, computed, { before })
    all.push(...bonds.filter(({ field }) => !told.has(field)))
    return { computed, problems: all }
  }
}

function withoutRepeats(details: readonly Detail[]): Detail[] {
  const seen = new Set<string>()
  return details.filter(({ field, message }) => {
    const key = `${field}\0${message}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
