import { hash, randomBytes } from 'node:crypto'
import { type Clock, isoDateTime } from '../../engine/base/clock.ts'
import { newId } from '../../engine/base/ids.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { deleteLinksOf, findLink, insertLink, type LinkOwner, takeLink } from './link-store.ts'

/** Purpose of a link; one made for one purpose serves no other. */
export type LinkPurpose = 'password'

/** The token of a new link to an address, which ends earlier ones of the same purpose. Only its hash is kept. */
export async function makeLink(
  tx: Db,
  clock: Clock,
  { login, address, go_on_to }: LinkOwner,
  purpose: LinkPurpose,
  lifetime: number,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await deleteLinksOf(tx, login, purpose)
  await insertLink(tx, {
    id: newId('lnk', clock.now()),
    hash: hash('sha256', token),
    login,
    address,
    purpose,
    created: isoDateTime(clock),
    expires: new Date(clock.now() + lifetime).toISOString(),
    used: null,
    go_on_to,
  })
  return token
}

/** Uses a link up; whose it was, or undefined when it is unknown, over or used (reliability.md D6). Ask whether the address is still theirs. */
export function useLink(
  tx: Db,
  clock: Clock,
  token: string,
  purpose: LinkPurpose,
): Promise<LinkOwner | undefined> {
  return takeLink(tx, { hash: hash('sha256', token), purpose, at: isoDateTime(clock) })
}

/** Owner of a link, without using it up; undefined as for `useLink`. */
export function peekLink(
  db: Db,
  clock: Clock,
  token: string,
  purpose: LinkPurpose,
): Promise<LinkOwner | undefined> {
  return findLink(db, { hash: hash('sha256', token), purpose, at: isoDateTime(clock) })
}
