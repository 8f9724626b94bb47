import { GUEST_ACTOR } from '../../access/actor.ts'
import type { Doc } from '../../storage/database/document.ts'
import { selectUnconfirmed } from '../../storage/workspace/people.ts'
import { removeWithin } from '../effects/within.ts'
import type { DocTypeParts } from '../work/context.ts'
import { nested, type Work } from '../work/work.ts'

/**
 * Makes room for somebody of the workspace: a sign-up that nobody has confirmed is deleted where its name or e-mail
 * address is now given to another record, so that a stranger cannot keep an address from who owns it. Another
 * stranger gets no room. Does nothing for DocTypes that do not serve users.
 */
export async function yieldAddress(
  work: Work,
  parts: DocTypeParts,
  before: Doc | undefined,
  after: Doc,
): Promise<void> {
  if (parts.definition.serves !== 'users' || work.context.actor.id === GUEST_ACTOR.id) return
  if (before && before.email === after.email) return
  const email = typeof after.email === 'string' ? after.email : null
  const name = before?.name ?? String(after.login ?? '')
  const unconfirmed = await selectUnconfirmed(work.tx, parts.definition, { name, email })
  const others = unconfirmed.filter((one) => one !== before?.name)
  await nested(work, async () => {
    for (const other of others) await removeWithin(work, parts, other)
  })
}
