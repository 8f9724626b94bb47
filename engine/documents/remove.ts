import { assertCan } from '../access/can.ts'
import { isoDateTime } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { DocTypeDefinition } from '../definition/definition.ts'
import { assertNotLinked } from './blocked.ts'
import { recordEvent } from './change.ts'
import type { Context } from './context.ts'
import { lockRecord } from './locked.ts'
import { presentResult } from './present.ts'

/**
 * Deletes a record (DELETE /v1/{resource}/{id}). Throws 401/403, 404, 412, and 409 when it is submitted or
 * other documents link to it (`linked`; spec §3).
 */
export async function removeDocument(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
): Promise<void> {
  assertCan(context, definition, 'delete')
  const { services } = context
  const parts = services.partsOf(definition)
  await services.database.write(async (tx) => {
    const doc = await lockRecord(tx, context, parts, id)
    if (doc.docstatus === 1) {
      throw new AppError(
        'CONFLICT',
        `cannot delete ${definition.label} ${JSON.stringify(id)}: it is submitted; cancel it first`,
        {
          details: [{ field: 'docstatus', message: 'expected 0 or 2, got 1' }],
          linked: [],
        },
      )
    }
    await assertNotLinked(tx, services, definition, id, { from: 'any', verb: 'delete' })
    await parts.store.remove(tx, doc)
    await services.search.remove(tx, definition, doc)
    const { json } = presentResult(parts.presenter, doc)
    await recordEvent(tx, context, parts, {
      kind: 'deleted',
      id,
      at: isoDateTime(services.clock),
      json,
    })
    await context.beforeCommit?.(tx, null)
  })
}
