import { AppError } from '../engine/base/errors.ts'
import type { DocTypeDefinition } from '../engine/definition/model/definition.ts'
import { updateWithin } from '../engine/documents/operations/update.ts'
import type { Work } from '../engine/documents/work/work.ts'
import { heldRecords } from '../engine/storage/finding/held-records.ts'

/** Records that change hands in one transaction, with all that follows from it. */
const MOST = 1000

/** Records that went to a successor: ids by the slug of their resource. */
export type HandedOver = Readonly<Record<string, readonly string[]>>

/**
 * Gives a successor what somebody still has to do (`permissions.hand_over`), each record by an update with all its
 * rules. Throws CONFLICT for more than one transaction should change, and what the update of a record refuses.
 */
export async function handOverRecords(work: Work, from: string, to: string): Promise<HandedOver> {
  const given: Record<string, readonly string[]> = {}
  let left = MOST
  for (const definition of work.context.services.registry.all) {
    const ids = await handOverOf(work, definition, { from, to, left })
    if (ids.length === 0) continue
    given[definition.slug] = ids
    left -= ids.length
  }
  return given
}

interface Hands {
  readonly from: string
  readonly to: string
  /** Records that may still be changed. */
  readonly left: number
}

async function handOverOf(
  work: Work,
  definition: DocTypeDefinition,
  { from, to, left }: Hands,
): Promise<readonly string[]> {
  const { status, permissions } = definition.behaviour
  const parts = work.context.services.partsOf(definition)
  const ids = new Set<string>()
  for (const [field, states] of Object.entries(permissions?.hand_over ?? {})) {
    const held = { field, login: from, status: status?.field ?? 'name', states }
    const names = await heldRecords(work.tx, definition, held, left + 1)
    for (const name of names) ids.add(name)
    if (ids.size > left)
      throw new AppError(
        'CONFLICT',
        `expected at most ${MOST} records to hand over, there are more: give some of the ${definition.labelPlural} to others first`,
      )
    for (const name of names)
      await updateWithin(work, parts, name, parts.validator.judge('update', { [field]: to }))
  }
  return [...ids]
}
