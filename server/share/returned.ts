import type { Engine } from '../../engine/index.ts'
import { readReturned } from '../mail/returned.ts'
import { findSent, markReturned } from '../mail/store.ts'
import { noteBounce } from './bounced.ts'

/**
 * Takes a report of a mail server about mails of ours that did not arrive: each is said to on its record, once for each
 * recipient, and counts as failed. Returns the ids of those; none for any other mail, and for what is known already.
 */
export async function takeReturned(
  engine: Engine,
  secretKey: Buffer,
  message: Buffer,
): Promise<readonly string[]> {
  const { database } = engine.services
  const report = readReturned(message)
  const noted: string[] = []
  for (const id of report?.ids ?? []) {
    const mail = await findSent(database.read, id)
    const { recipient, reason } = report!
    const error = recipient === '' ? reason : `${recipient}: ${reason}`
    if (!mail || mail.error?.split('\n').includes(error)) continue
    // Said before it is marked: a report that is handed over again says it rather twice than never.
    if (mail.content !== '') await noteBounce(engine, secretKey, mail, error)
    const all = mail.error === null ? error : `${mail.error}\n${error}`
    await database.write((tx) => markReturned(tx, id, all))
    noted.push(id)
  }
  return noted
}
