import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isGone, newLeaseName } from '../../engine/base/lease-name.ts'
import { startTurns } from '../../engine/base/turns.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import { attemptMail } from './attempt.ts'
import { remainsOf } from './mail.ts'
import { logMailOutcome, mailOutcome } from './outcome.ts'
import {
  type ClaimedMail,
  claimMail,
  mailHolders,
  nextMailDue,
  releaseMails,
  settleMail,
} from './store.ts'
import type { Transport } from './transport.ts'

export interface MailSenderOptions {
  readonly services: Pick<Services, 'database' | 'clock'>
  /** The workspace's own 32 bytes. */
  readonly secretKey: Buffer
  /** Called at the first mail: only who sends mail pays for what it takes. */
  readonly transport: () => Promise<Transport>
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Hears of mail that is given up, before its text is forgotten. */
  readonly onFailed?: (mail: ClaimedMail, error: string) => Promise<void>
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
    const sent = await attemptMail(mail, { secretKey, clock, transport: openTransport })
    const settled = mailOutcome(mail, sent, clock)
    const remains = settled.state === 'sent' ? remainsOf(secretKey, mail) : ''
    await database.write((tx) => settleMail(tx, name, mail.id, settled, remains))
    logMailOutcome(logger, mail, settled)
    if (settled.state === 'failed') await tellFailed(mail, settled.error ?? '')
    return 0
  }

  async function tellFailed(mail: ClaimedMail, error: string): Promise<void> {
    await options
      .onFailed?.(mail, error)
      .catch((err: unknown) => logger.warn({ err, mail: mail.id }, 'mail: nobody could be told'))
  }

  /** Frees the mail that dead processes held: it need not wait for the end of its lease. */
  async function takeOver(): Promise<void> {
    for (const holder of (await mailHolders(database.read)).filter(isGone))
      await database.write((tx) => releaseMails(tx, holder, clock.now()))
    tookOver = true
  }

  function openTransport(): Promise<Transport> {
    transport ??= options.transport()
    return transport
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
