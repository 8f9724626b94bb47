import { type Action, can } from '../../access/can.ts'
import { AppError } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Context } from '../work/context.ts'
import { assertFollowed } from './followed.ts'
import { assertRow } from './row-rights.ts'

/**
 * Whether the caller may do this with one record as it is now; without an id, with records of the DocType at
 * all. False for a record that does not exist, as for one that they may not read.
 */
export async function isAllowed(
  context: Context,
  definition: DocTypeDefinition,
  action: Action,
  id?: string,
): Promise<boolean> {
  if (!can(context, definition, action)) return false
  if (id === undefined) return true
  const { services } = context
  const parts = services.partsOf(definition)
  const doc = await parts.store.find(services.database.read, id)
  if (!doc) return false
  try {
    assertRow(context, parts, doc, action)
    await assertFollowed(context, services.database.read, parts, doc)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
