import { assertCan } from '../../access/can.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { DocumentInput } from '../../schema/shapes/validator.ts'
import { docFromInput } from '../record/record-input.ts'
import { assertMove } from '../rights/flow-rights.ts'
import { assertWrite } from '../rights/row-rights.ts'
import { fillLimitDefaults } from '../rights/user-limits.ts'
import type { Context, DocTypeParts } from '../work/context.ts'
import type { DocumentResult } from '../work/present.ts'
import type { Touched } from '../work/touched.ts'
import type { Work } from '../work/work.ts'
import { bringRecords } from './brought-records.ts'
import { runOperation } from './operation.ts'

/** Creates a record (POST /v1/{resource}), submittable ones as drafts. Throws 401/403, 422, 409 for a taken name. */
export async function createDocument(
  context: Context,
  definition: DocTypeDefinition,
  body: unknown,
): Promise<DocumentResult> {
  assertCan(context, definition, 'create')
  const parts = context.services.partsOf(definition)
  const input = parts.validator.read('create', body)
  return runOperation(context, (work) => createWithin(work, parts, input))
}

/** Creates a record inside a transaction. Throws 403 for one the caller may not leave so, 409, 422. */
export async function createWithin(
  work: Work,
  parts: DocTypeParts,
  input: DocumentInput,
): Promise<Touched> {
  const after = docFromInput(parts.store.empty(), parts.definition, input)
  fillLimitDefaults(work.context, parts.definition, after)
  const entry = await work.apply(work, {
    parts,
    after,
    kind: 'created',
    ...(input.name === undefined ? {} : { name: input.name }),
  })
  assertWrite(work.context, parts, entry.current!, 'create')
  assertMove(work.context, parts.definition, undefined, entry.current!)
  await bringRecords(work, entry, input)
  return entry
}
