import { hash, randomBytes } from 'node:crypto'
import { isoDateTime } from '../../../engine/base/clock.ts'
import { AppError } from '../../../engine/base/errors.ts'
import { open, seal } from '../../../engine/base/seal.ts'
import type { Services } from '../../../engine/documents/work/context.ts'
import type { Db } from '../../../engine/storage/database/database.ts'
import { findPerson, grantsDigest, type Person } from '../people.ts'
import { deleteTicket, insertTicket, selectTicket } from './ticket-store.ts'

/** Services that second factors stand on. */
export interface FactorDeps {
  readonly services: Services
  /** The workspace's own 32 bytes: they seal the secrets. */
  readonly secretKey: Buffer
}

/**
 * Purpose of a ticket: to sign in with a factor after the password was right, to set the first one up at sign-in where
 * the person's roles ask for one, to add one while signed in.
 */
export type TicketPurpose = 'sign-in' | 'enrol' | 'add'

/** Time a ticket works, in ms. */
export const TICKET_LIFETIME = 10 * 60 * 1000

/** A ticket that works. */
export interface Ticket<Data> {
  readonly hash: string
  readonly person: Person
  /** What was begun with it. */
  readonly data: Data
}

/** A new ticket: random, kept as a hash, good for one purpose. It is no session: nothing can be read with it. */
export async function makeTicket(
  { services, secretKey }: FactorDeps,
  person: Person,
  purpose: TicketPurpose,
  data: object,
): Promise<string> {
  const { database, clock } = services
  const token = randomBytes(32).toString('base64url')
  const key = hash('sha256', token)
  await database.write((tx) =>
    insertTicket(tx, {
      hash: key,
      login: person.login,
      purpose,
      grants: grantsDigest(person),
      data: seal(secretKey, sealedAs(key), JSON.stringify(data)),
      expires: new Date(clock.now() + TICKET_LIFETIME).toISOString(),
    }),
  )
  return token
}

/**
 * Reads a ticket, without using it up; undefined when it is unknown, over, of another purpose, or its person was
 * changed or disabled since.
 */
export async function findTicket<Data>(
  { services, secretKey }: FactorDeps,
  token: string,
  purpose: TicketPurpose,
): Promise<Ticket<Data> | undefined> {
  const key = hash('sha256', token)
  const at = isoDateTime(services.clock)
  const row = await selectTicket(services.database.read, { hash: key, purpose, at })
  const person = row && (await findPerson(services, row.login))
  if (!person?.enabled || grantsDigest(person) !== row?.grants) return undefined
  return { hash: key, person, data: JSON.parse(open(secretKey, sealedAs(key), row.data)) as Data }
}

/** Uses a ticket up within the change that it was for. Throws as `ticketIsOver` for one that was used meanwhile. */
export async function useTicket(
  tx: Db,
  { hash: key }: Pick<Ticket<unknown>, 'hash'>,
  purpose: TicketPurpose,
): Promise<void> {
  if (!(await deleteTicket(tx, key))) throw ticketIsOver(purpose)
}

/** Error for a ticket that works no more, or never did: UNAUTHORIZED for who is not signed in yet, else CONFLICT. */
export function ticketIsOver(purpose: TicketPurpose): AppError {
  const message = 'this took too long, or was done already'
  return purpose === 'add'
    ? new AppError('CONFLICT', `${message}: begin again`)
    : new AppError('UNAUTHORIZED', `${message}: sign in again`)
}

function sealedAs(key: string): string {
  return `ticket ${key}`
}
