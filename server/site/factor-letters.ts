import { BRAND } from '../../engine/base/brand.ts'
import type { EventSink } from '../../engine/documents/work/context.ts'
import { isEmail } from '../../engine/fields/text-format.ts'
import { SECURITY } from '../../engine/schema/catalogue/security-events.ts'
import { firstCompany } from '../../engine/storage/workspace/company.ts'
import { findPersonWithin } from '../auth/people.ts'
import { enqueueMail, type Outbox } from '../mail/mail.ts'
import { type FactorChange, factorLetter, isFactorChange } from './letters.ts'

/**
 * Sink of events that writes to whose second factors have changed, in the transaction of the change: if it was somebody
 * else, they are the only one who can know.
 */
export function factorLetters(outbox: Outbox): EventSink {
  return async (tx, events, scene) => {
    for (const { resource, kind, data } of events) {
      if (resource !== SECURITY || !isFactorChange(kind)) continue
      const { person: login, name } = JSON.parse(data) as { person: string; name?: string }
      const person = await findPersonWithin(scene, login, tx)
      if (!person?.enabled || !isEmail(person.email)) continue
      const companies = scene.registry.serving('companies')
      const workspace = (companies && (await firstCompany(tx, companies))) ?? BRAND
      const { fullName } = person
      const text = factorLetter(workspace, { fullName, change: kind, name })
      await enqueueMail(tx, outbox, { to: person.email, kind: MAIL[kind], ...text })
    }
  }
}

/** What each mail is called in the list of mails. */
const MAIL: Readonly<Record<FactorChange, string>> = {
  factor_added: 'second-factor-added',
  factor_removed: 'second-factor-removed',
  factors_reset: 'second-factor-reset',
  recovery_code_used: 'recovery-code-used',
}
