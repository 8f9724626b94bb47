import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isoDateTime } from '../../engine/base/clock.ts'
import { isGone, newLeaseName } from '../../engine/base/lease-name.ts'
import { startTurns } from '../../engine/base/turns.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import { openMail } from './mail.ts'
import {
  type ClaimedMail,
  claimMail,
  mailHolders,
  nextMailDue,
  releaseMails,
  type SettledMail,
  settleMail,
} from './store.ts'
import type { Sent, Transport } from './transport.ts'

export interface MailSenderOptions {
  readonly services: Pick<Services, 'database' | 'clock'>
  /** The workspace's own 32 bytes. */
  readonly secretKey: Buffer
  /** Called at the first mail: only who sends mail pays for what it takes. */
  readonly transport: () => Promise<Transport>
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Time a mail is kept from other senders, in ms: longer than any attempt. */
  readonly leaseMs?: number
  /** Interval at which mail is looked for, in ms. */
  readonly pollMs?: number
}

export interface MailSender {
  /** Looks for mail now. */
  ask(): void
  /** Resolves when nothing is due or under way. For tests. */
  settled(): Promise<void>
  /** Begins nothing more and lets the mail under way end for `graceMs`; then another sender has it. */
  stop(graceMs?: number): Promise<void>
}

const MINUTE = 60_000

/** Waits after the first attempt, the second …, in ms: a day and then it is given up. */
export const MAIL_WAITS: readonly number[] = [1, 5, 15, 60, 180, 360, 360, 480].map(
  (minutes) => minutes * MINUTE,
)

const LEASE = 10 * MINUTE
const POLL = 1_000
const GRACE = 10_000

/**
 * Sends what is in the outbox, one mail after the other. Each is claimed under a lease first, so that of all
 * processes one sends it; what a dead process held is due again. A mail whose outcome could not be written goes
 * out twice, under the same Message-ID, rather than never.
 */
export function startMailSender(options: MailSenderOptions): MailSender {
  const { services, secretKey, logger, leaseMs = LEASE, pollMs = POLL } = options
  const { database, clock } = services
  const name = newLeaseName()
  let transport: Promise<Transport> | undefined
  let tookOver = false

  /** Returns when to look again, in ms. */
  async function turn(): Promise<number> {
    if (!tookOver) await takeOver()
    const wait = ((await nextMailDue(database.read)) ?? Number.POSITIVE_INFINITY) - clock.now()
    if (wait > 0) return Math.min(wait, pollMs)
    const now = clock.now()
    const mail = await database.write((tx) =>
      claimMail(tx, database.kind, { now, leaseUntil: now + leaseMs, sender: name }),
    )
    // Somebody else was quicker.
    if (!mail) return pollMs
    const settled = outcomeOf(mail, await attempt(mail))
    await database.write((tx) => settleMail(tx, name, mail.id, settled))
    logOutcome(mail, settled)
    return 0
  }

  /** Frees the mail that dead processes held: it need not wait for the end of its lease. */
  async function takeOver(): Promise<void> {
    for (const holder of (await mailHolders(database.read)).filter(isGone))
      await database.write((tx) => releaseMails(tx, holder, clock.now()))
    tookOver = true
  }

  async function attempt(mail: ClaimedMail): Promise<Sent> {
    if (mail.expires !== null && mail.expires <= isoDateTime(clock))
      return { ok: false, final: true, error: 'it could not be sent while it was of use' }
    let content: ReturnType<typeof openMail>
    try {
      content = openMail(secretKey, mail)
    } catch {
      return { ok: false, final: true, error: 'it was sealed with another secret key' }
    }
    transport ??= options.transport()
    return (await transport).send({ id: mail.id, to: mail.recipient, ...content })
  }

  function outcomeOf({ attempts: before }: ClaimedMail, sent: Sent): SettledMail {
    const attempts = before + 1
    if (sent.ok)
      return { state: 'sent', attempts, due: null, sent: isoDateTime(clock), error: null }
    const wait = sent.final ? undefined : MAIL_WAITS[before]
    const due = wait === undefined ? null : clock.now() + wait
    const state = due === null ? 'failed' : 'waiting'
    return { state, attempts, due, sent: null, error: sent.error }
  }

  /** Logs the outcome alone: whom a mail goes to and what it says is nobody's business who reads logs. */
  function logOutcome({ id, kind }: ClaimedMail, { state, attempts }: SettledMail): void {
    const facts = { mail: id, kind, attempts }
    if (state === 'sent') logger.info(facts, 'mail: sent')
    else if (state === 'waiting') logger.warn(facts, 'mail: could not be sent; it is tried again')
    else logger.error(facts, 'mail: given up; `svc doctor` counts such mail, svc_mails says why')
  }

  const turns = startTurns({
    turn,
    gap: () => 0,
    retryMs: pollMs,
    onFailure: (err) => logger.error({ err }, 'mail: the outbox could not be read or written'),
  })

  return {
    ask: turns.ask,
    async settled() {
      for (;;) {
        await turns.running
        const due = await nextMailDue(database.read)
        if (tookOver && !turns.running && (due === undefined || due > clock.now())) return
        turns.ask()
        await sleep(1)
      }
    },
    async stop(graceMs = GRACE) {
      const grace = new AbortController()
      const ended = await Promise.race([
        turns.stop().then(() => true),
        sleep(graceMs, false, grace),
      ])
      grace.abort()
      ;(await transport)?.close()
      // It may yet go out, but nobody would know: the next sender tries again.
      if (!ended) await database.write((tx) => releaseMails(tx, name, clock.now()))
    },
  }
}
