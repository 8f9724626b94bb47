import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import type { Engine } from '../../engine/index.ts'
import { openMail } from '../mail/mail.ts'
import type { ClaimedMail } from '../mail/store.ts'

/**
 * Says on the record that a mail about it could not be sent for good: a comment, which who looks after it sees. Mail that
 * is about no record is for logs alone.
 */
export async function noteBounce(
  engine: Engine,
  secretKey: Buffer,
  mail: ClaimedMail,
  error: string,
): Promise<void> {
  const { about, subject } = openMail(secretKey, mail)
  const { registry } = engine.services
  const comments = registry.serving('comments')
  const field = comments?.fields.find(({ linkFrom }) => linkFrom !== undefined)
  const definition = about && registry.bySlug(about.resource)
  if (!comments || !field || !definition) return
  await createDocument(engine.context(SYSTEM_ACTOR, await engine.tier()), comments, {
    [field.linkFrom!]: definition.doctype,
    [field.name]: about.record,
    [comments.titleField]: `The mail “${subject}” to ${mail.recipient} could not be sent: ${error}`,
  })
}
