import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { JudgedInput } from '../../schema/shapes/validator.ts'
import { takeOver } from '../effects/taken-over.ts'
import { refuseWithLinks } from '../links/linked.ts'
import { docFromInput, leftEmpty } from '../record/record-input.ts'
import { assertMay, assertMayLeave, knownParts } from '../rights/door.ts'
import { fillLimitDefaults } from '../rights/given-limits.ts'
import type { Context, DocTypeParts } from '../work/context.ts'
import type { DocumentResult } from '../work/present.ts'
import type { Touched } from '../work/touched.ts'
import type { Work } from '../work/work.ts'
import { bringRecords } from './brings.ts'
import { runOperation } from './operation.ts'

/**
 * Creates a record (POST /v1/{resource}), submittable ones as drafts; under the name that was `made` before it where its
 * fields tell of it, for a DocType whose records have chance names. Throws 401/403, 422, 409 for a taken name.
 */
export async function createDocument(
  context: Context,
  definition: DocTypeDefinition,
  body: unknown,
  made?: string,
): Promise<DocumentResult> {
  assertMay(context, definition, 'create')
  const parts = context.services.partsOf(definition)
  const judged = knownParts(context, parts).validator.judge('create', body)
  return runOperation(context, (work) => createWithin(work, parts, judged, made), {
    together: `create ${definition.slug}`,
  })
}

/** Creates a record inside a transaction, under the name that was `made` for it. Throws 403 for one the caller may not leave so, 409, 422. */
export async function createWithin(
  work: Work,
  parts: DocTypeParts,
  { input, problems }: JudgedInput,
  made?: string,
): Promise<Touched> {
  if (problems.length > 0) {
    const wrong = docFromInput(parts.store.empty(), parts.definition, input)
    await refuseWithLinks(work, parts, { after: wrong, problems })
  }
  const whole = await takeOver(work, parts, input)
  const after = docFromInput(parts.store.empty(), parts.definition, whole)
  fillLimitDefaults(work.context, parts.definition, after)
  const entry = await work.apply(work, {
    parts,
    after,
    kind: 'created',
    empty: leftEmpty(parts.definition, whole.values),
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(made === undefined ? {} : { name: made, nameIsFinal: true }),
  })
  assertMayLeave(work.context, parts, 'create', { after: entry.current! })
  await bringRecords(work, entry, input)
  return entry
}
