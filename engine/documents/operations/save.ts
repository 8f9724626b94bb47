import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { JudgedInput } from '../../schema/shapes/validator.ts'
import type { Db } from '../../storage/database/database.ts'
import { assertSubmittable } from '../effects/locked.ts'
import { submitWithin } from '../effects/within.ts'
import { assertMay, knownParts } from '../rights/door.ts'
import type { Context, DocTypeParts } from '../work/context.ts'
import type { DocumentResult } from '../work/present.ts'
import type { Touched } from '../work/touched.ts'
import type { Work } from '../work/work.ts'
import { createWithin } from './create.ts'
import { runOperation, runTogether } from './operation.ts'
import { updateWithin } from './update.ts'

/** A record to create: a strict body of its DocType, and whether it is submitted at once. */
export interface NewRecord {
  readonly definition: DocTypeDefinition
  readonly body: unknown
  readonly submit?: boolean
  /** Looks at the record that came of it, in the shape of GET, before the commit; what it throws undoes all. */
  readonly accept?: (record: DocumentResult['record']) => void
}

/**
 * Creates records, and submits those that say so, in one transaction: all or none. `note` writes what is to commit with
 * them. Throws as `createDocument` and `submitDocument` do.
 */
export async function createTogether(
  context: Context,
  records: readonly NewRecord[],
  note?: (tx: Db, results: readonly DocumentResult[]) => Promise<void>,
): Promise<readonly DocumentResult[]> {
  const read = records.map((record) => readNew(context, record))
  const accept = async (results: readonly DocumentResult[], tx: Db): Promise<void> => {
    for (const [index, { record }] of results.entries()) records[index]!.accept?.(record)
    await note?.(tx, results)
  }
  const job = async (work: Work): Promise<readonly Touched[]> => {
    const done: Touched[] = []
    for (const { parts, judged, submit } of read) {
      const entry = await createWithin(work, parts, judged)
      done.push(submit ? await submitWithin(work, parts, entry.name) : entry)
    }
    return done
  }
  return runTogether(context, job, accept)
}

interface ReadRecord {
  readonly parts: DocTypeParts
  readonly judged: JudgedInput
  readonly submit: boolean
}

function readNew(context: Context, { definition, body, submit = false }: NewRecord): ReadRecord {
  assertMay(context, definition, 'create')
  const parts = context.services.partsOf(definition)
  if (submit) {
    assertMay(context, definition, 'submit')
    assertSubmittable(parts, 'submitted')
  }
  return { parts, judged: knownParts(context, parts).validator.judge('create', body), submit }
}

/**
 * Changes a draft and submits it in one transaction, so that a submit that is refused leaves the change
 * undone too. Throws as `updateDocument` and `submitDocument` do.
 */
export async function updateAndSubmit(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
  body: unknown,
): Promise<DocumentResult> {
  assertMay(context, definition, 'update')
  assertMay(context, definition, 'submit')
  const parts = context.services.partsOf(definition)
  assertSubmittable(parts, 'submitted')
  const judged = knownParts(context, parts).validator.judge('update', body)
  return runOperation(context, async (work) => {
    await updateWithin(work, parts, id, judged)
    return submitWithin(withoutIfMatch(work), parts, id)
  })
}

/** Work without `If-Match`: the change itself has made another version of the one the caller knows. */
function withoutIfMatch(work: Work): Work {
  const { ifMatch: _, ...context } = work.context
  return { ...work, context }
}
