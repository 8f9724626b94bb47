import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { assertSubmittable } from '../effects/locked.ts'
import { cancelWithin, removeWithin } from '../effects/within.ts'
import { assertMay } from '../rights/door.ts'
import type { Context } from '../work/context.ts'
import type { DocumentResult } from '../work/present.ts'
import { amendWithin } from './amend.ts'
import { runOperation } from './operation.ts'

/** Cancels a document and makes the draft to go on with, both or neither; gives the cancelled one. Throws what either throws. */
export async function cancelAndAmend(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
): Promise<DocumentResult> {
  for (const right of ['cancel', 'amend'] as const) assertMay(context, definition, right)
  const parts = context.services.partsOf(definition)
  assertSubmittable(parts, 'cancelled')
  return runOperation(context, async (work) => {
    const cancelled = await cancelWithin(work, parts, id)
    await amendWithin(work, parts, id)
    return cancelled
  })
}

/** Cancels a document and deletes it, both or neither. Throws what either throws. */
export async function cancelAndRemove(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
): Promise<DocumentResult> {
  for (const right of ['cancel', 'delete'] as const) assertMay(context, definition, right)
  const parts = context.services.partsOf(definition)
  assertSubmittable(parts, 'cancelled')
  return runOperation(context, async (work) => {
    await cancelWithin(work, parts, id)
    return removeWithin(work, parts, id)
  })
}
