import { assertCan } from '../access/can.ts'
import type { DocTypeDefinition } from '../definition/definition.ts'
import type { Context, DocumentResult } from './context.ts'
import { runOperation } from './operation.ts'
import { docFromInput } from './record-input.ts'
import { assertWrite } from './row-rights.ts'

/** Creates a record (POST /v1/{resource}); submittable ones as drafts. Throws 401/403, 422, 409 when the name is taken. */
export async function createDocument(
  context: Context,
  definition: DocTypeDefinition,
  body: unknown,
): Promise<DocumentResult> {
  assertCan(context, definition, 'create')
  const parts = context.services.partsOf(definition)
  const input = parts.validator.read('create', body)
  return runOperation(context, async (work) => {
    const entry = await work.apply(work, {
      parts,
      after: docFromInput(definition, input),
      kind: 'created',
      ...(input.name === undefined ? {} : { name: input.name }),
    })
    assertWrite(context, parts, entry.current!, 'create')
    return entry
  })
}
