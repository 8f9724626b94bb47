import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { isoDateTime } from '../../engine/base/clock.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { aboutOf } from '../../engine/documents/together/about.ts'
import { notify } from '../../engine/documents/together/notify.ts'
import type { Engine } from '../../engine/index.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { findPersonWithin } from '../auth/people.ts'
import { type MailText, openMail } from '../mail/mail.ts'
import type { ClaimedMail } from '../mail/store.ts'
import { createWords } from '../v1/catalog-words.ts'

/**
 * Says on the record that a mail about it could not be sent for good: a comment, which who looks after it sees; who sent the
 * mail is told. Mail that is about no record is for logs alone.
 */
export async function noteBounce(
  engine: Engine,
  secretKey: Buffer,
  mail: ClaimedMail,
  error: string,
): Promise<void> {
  const said = openMail(secretKey, mail)
  const { about, subject } = said
  const { recipient } = mail
  const { registry } = engine.services
  const comments = registry.serving('comments')
  const link = comments && aboutOf(comments)
  const definition = about && registry.bySlug(about.resource)
  if (!comments || !link || !definition) return
  const context = engine.context(SYSTEM_ACTOR, await engine.tier())
  await createDocument(
    {
      ...context,
      beforeCommit: async (tx, result) => {
        if (result)
          await tellSender(engine, tx, { comments, id: result.id, said, recipient, error })
      },
    },
    comments,
    {
      [link.kind]: definition.doctype,
      [link.record]: about.record,
      [comments.titleField]: `The mail “${subject}” to ${recipient} could not be sent: ${error}`,
    },
  )
}

interface Bounce {
  /** The comment about it. */
  readonly comments: DocTypeDefinition
  readonly id: string
  readonly said: MailText
  readonly recipient: string
  readonly error: string
}

/** Tells who sent a mail, in the transaction of the comment about it, whose event brings it to streams. */
async function tellSender(
  { services }: Engine,
  tx: Db,
  { comments, id, said: { sentBy, subject, about }, recipient, error }: Bounce,
): Promise<void> {
  const person = sentBy === undefined ? undefined : await findPersonWithin(services, sentBy, tx)
  if (!person?.enabled || !about) return
  const filter = { resource: comments.slug, record_id: id }
  const [event] = await services.events.page(tx, { filter, order: 'desc', limit: 1 })
  const tell = createWords().tellerIn(services, person.language)
  await notify(tx, isoDateTime(services.clock), [
    {
      ...{ login: person.login, kind: 'mail', actor: SYSTEM_ACTOR.name, title: subject },
      ...{ resource: about.resource, record_id: about.record },
      text: tell(`the mail to ${recipient} could not be sent: ${error}`),
      ...(event ? { event: event.id } : {}),
    },
  ])
}
