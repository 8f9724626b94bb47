import type { Logger } from 'pino'
import { type Clock, isoDateTime } from '../../engine/base/clock.ts'
import type { ClaimedMail, SettledMail } from './store.ts'
import type { Sent } from './transport.ts'

const MINUTE = 60_000

/** Waits after the first attempt, the second …, in ms: a day and then it is given up. */
export const MAIL_WAITS: readonly number[] = [1, 5, 15, 60, 180, 360, 360, 480].map(
  (minutes) => minutes * MINUTE,
)

/** How a mail stands after an attempt: sent, due again, or given up. */
export function mailOutcome(
  { attempts: before }: ClaimedMail,
  sent: Sent,
  clock: Clock,
): SettledMail {
  const attempts = before + 1
  if (sent.ok) return { state: 'sent', attempts, due: null, sent: isoDateTime(clock), error: null }
  const wait = sent.final ? undefined : MAIL_WAITS[before]
  const due = wait === undefined ? null : clock.now() + wait
  const state = due === null ? 'failed' : 'waiting'
  return { state, attempts, due, sent: null, error: sent.error }
}

/** Whom it goes to and what it says is nobody's business who reads logs. */
export function logMailOutcome(
  logger: Pick<Logger, 'info' | 'warn' | 'error'>,
  { id, kind }: ClaimedMail,
  { state, attempts }: SettledMail,
): void {
  const facts = { mail: id, kind, attempts }
  if (state === 'sent') logger.info(facts, 'mail: sent')
  else if (state === 'waiting') logger.warn(facts, 'mail: could not be sent; it is tried again')
  else logger.error(facts, 'mail: given up; `svc doctor` counts such mail, svc_mails says why')
}
