import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Database, Db } from '../../engine/storage/database.ts'
import { readSetting, writeSetting } from '../../engine/storage/settings.ts'

/** Where the first person of a workspace is kept in `svc_settings`; it is there once setup is done. */
const SETTING = 'administrator'

/** Cost of a hash: about 32 MB and 50 ms (OWASP, Password Storage, scrypt with p=3). */
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 }
const HASH_BYTES = 32

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt)

/** The first System Manager. Only a hash of the password is kept. */
export interface Administrator {
  readonly user: string
  readonly email: string | null
  readonly password: string
}

/** A password of 144 random bits, without characters that a shell or a double click would cut. */
export function generatePassword(): string {
  return randomBytes(18).toString('base64url').replaceAll('-', 'x').replaceAll('_', 'y')
}

/** True once setup is done. */
export async function isSetUp(db: Db): Promise<boolean> {
  return (await readSetting(db, SETTING)) !== undefined
}

/**
 * Makes this person the first one. False when there is one already: of several processes that set up the
 * same workspace at once, one wins.
 */
export async function claimWorkspace(database: Database, person: Administrator): Promise<boolean> {
  const kept = JSON.stringify({ ...person, password: await hashPassword(person.password) })
  return database.write(async (tx) => {
    if (await isSetUp(tx)) return false
    await writeSetting(tx, SETTING, kept)
    return true
  })
}

/** Whether this is the password the first person was given. */
export async function isFirstPassword(db: Db, password: string): Promise<boolean> {
  const kept = await readSetting(db, SETTING)
  if (kept === undefined) return false
  const [, N, r, p, salt = '', hash = ''] = (JSON.parse(kept) as Administrator).password.split('$')
  const cost = { N: Number(N), r: Number(r), p: Number(p), maxmem: COST.maxmem }
  const derived = await derive(password, Buffer.from(salt, 'base64'), HASH_BYTES, cost)
  return timingSafeEqual(derived, Buffer.from(hash, 'base64'))
}

/** `scrypt$N$r$p$salt$hash`, the last two in base64: everything that checking a password needs. */
async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, HASH_BYTES, COST)
  const { N, r, p } = COST
  return ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$')
}
