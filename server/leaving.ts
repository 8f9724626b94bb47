import type { Actor } from '../engine/access/actor.ts'
import { SYSTEM_MANAGER } from '../engine/access/roles.ts'
import { AppError, validationError } from '../engine/base/errors.ts'
import { inWork } from '../engine/documents/operations/operation.ts'
import { updateWithin } from '../engine/documents/operations/update.ts'
import { assertMay } from '../engine/documents/rights/door.ts'
import type { Context } from '../engine/documents/work/context.ts'
import { finishWork } from '../engine/documents/work/finish.ts'
import type { Db } from '../engine/storage/database/database.ts'
import { handOverWebhooks, type WebhookLeft } from '../webhooks/owners.ts'
import { selectWebhooksOf } from '../webhooks/store.ts'
import { deleteLinksOf } from './auth/link-store.ts'
import { findPersonWithin, type Person, peopleOf } from './auth/people.ts'
import { logSecurity } from './auth/security-log.ts'
import { deleteSessionsOf } from './auth/session-store.ts'
import { revokeKeysOf } from './auth/store.ts'
import { type HandedOver, handOverRecords } from './handing-over.ts'

/** Everything that ended with somebody who left (contract §7.9). */
export interface Left {
  /** Numbers of sessions, of pairs of key and secret, and of mailed links. */
  readonly sessions: number
  readonly pairs: number
  readonly links: number
  /** Ids of API keys. */
  readonly keys: readonly string[]
  readonly webhooks: readonly WebhookLeft[]
  /** Records that went to the successor. */
  readonly records: HandedOver
}

export interface Leaving {
  /**
   * Login of the successor, who gets the records that are still to be done, and the webhooks if they may have any;
   * webhooks of nobody are paused.
   */
  readonly to?: string | undefined
  /** Runs in the transaction, e.g. to keep the idempotent answer. */
  readonly keep?: (tx: Db, left: Left) => Promise<void>
}

/**
 * Disables somebody and ends all they could get in with, in one transaction: sessions, pairs, keys, mailed links. What
 * they still had to do goes to the successor; what they made stays, and so do the links to them. Throws 403, 404,
 * CONFLICT for oneself, for the last who may run the workspace and for more records than can be handed over at once, 422
 * for a successor who cannot sign in.
 */
export async function leave(
  context: Context,
  login: string,
  { to, keep }: Leaving = {},
): Promise<Left> {
  const { services, actor } = context
  const definition = peopleOf(services)
  assertMay(context, definition, 'update')
  assertSomebodyElse(actor, login)
  const parts = services.partsOf(definition)
  const disabled = parts.validator.judge('update', { enabled: false })
  const left = await inWork(context, async (work) => {
    const { tx, now } = work
    const successor = to === undefined ? undefined : await successorOf(context, tx, login, to)
    const mayHaveWebhooks = successor?.roles.includes(SYSTEM_MANAGER) === true
    const given = mayHaveWebhooks ? await handOverWebhooks(tx, login, successor.login) : []
    const paused = (await selectWebhooksOf(tx, login)).map(
      ({ id }): WebhookLeft => ({ id, action: 'paused' }),
    )
    const credentials = await endCredentials(tx, login, now)
    await updateWithin(work, parts, login, disabled)
    const records = successor ? await handOverRecords(work, login, successor.login) : {}
    await finishWork(work)
    const all: Left = { ...credentials, webhooks: [...given, ...paused], records }
    const more = { ...all, webhooks: all.webhooks.map(({ id }) => id), to: to ?? null }
    await logSecurity(tx, services, actor, { kind: 'left', id: login, person: login, more })
    await keep?.(tx, all)
    return all
  })
  services.eventsCommitted()
  return left
}

async function endCredentials(
  tx: Db,
  login: string,
  now: string,
): Promise<Omit<Left, 'webhooks' | 'records'>> {
  const revoked = await revokeKeysOf(tx, login, now)
  const keys = revoked.filter(({ pair }) => pair === null)
  return {
    sessions: await deleteSessionsOf(tx, login),
    pairs: revoked.length - keys.length,
    keys: keys.map(({ id }) => id),
    links: await deleteLinksOf(tx, login, 'password'),
  }
}

function assertSomebodyElse({ user }: Actor, login: string): void {
  if (user?.login !== login) return
  throw new AppError('CONFLICT', 'nobody leaves by themselves: ask another System Manager')
}

async function successorOf(
  { services }: Context,
  tx: Db,
  login: string,
  to: string,
): Promise<Person> {
  const person = await findPersonWithin(services, to, tx)
  if (to !== login && person?.enabled) return person
  throw validationError([
    {
      field: 'hand_over_to',
      message: `expected the login of somebody else who can sign in, got ${JSON.stringify(to.slice(0, 80))}`,
      code: person ? 'rule' : 'no_such_record',
    },
  ])
}
