import { BRAND } from '../../engine/base/brand.ts'
import type { EventSink } from '../../engine/documents/work/context.ts'
import { isEmail } from '../../engine/fields/text-format.ts'
import { firstCompany } from '../../engine/storage/workspace/company.ts'
import { RESET } from '../auth/account-sink.ts'
import { findPersonWithin } from '../auth/people.ts'
import { enqueueMail, type Outbox } from '../mail/mail.ts'
import { factorResetLetter } from './letters.ts'

/** Sink of events that writes to whose second factors were reset, in the transaction of the reset. */
export function factorLetters(outbox: Outbox): EventSink {
  return async (tx, events, scene) => {
    const { registry } = scene
    const people = registry.serving('users')
    for (const { resource, kind, record_id } of events) {
      if (resource !== people?.slug || kind !== RESET) continue
      const person = await findPersonWithin(scene, record_id, tx)
      if (!person?.enabled || !isEmail(person.email)) continue
      const companies = registry.serving('companies')
      const workspace = (companies && (await firstCompany(tx, companies))) ?? BRAND
      const text = factorResetLetter(workspace, person)
      await enqueueMail(tx, outbox, { to: person.email, kind: 'second-factor-reset', ...text })
    }
  }
}
