import { type Clock, isoDateTime } from '../../engine/base/clock.ts'
import { openMail } from './mail.ts'
import type { ClaimedMail } from './store.ts'
import type { Sent, Transport } from './transport.ts'

export interface MailAttemptOptions {
  /** The workspace's own 32 bytes. */
  readonly secretKey: Buffer
  readonly clock: Clock
  /** Called only when there is something to send. */
  readonly transport: () => Promise<Transport>
}

/** Makes one attempt to send a mail; what can never be sent is not tried. */
export async function attemptMail(
  mail: ClaimedMail,
  { secretKey, clock, transport }: MailAttemptOptions,
): Promise<Sent> {
  if (mail.expires !== null && mail.expires <= isoDateTime(clock))
    return { ok: false, final: true, error: 'it could not be sent while it was of use' }
  let content: ReturnType<typeof openMail>
  try {
    content = openMail(secretKey, mail)
  } catch {
    return { ok: false, final: true, error: 'it was sealed with another secret key' }
  }
  return (await transport()).send({ id: mail.id, to: mail.recipient, ...content })
}
