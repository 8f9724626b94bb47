import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/** Cost of a hash: about 32 MB and 50 ms (OWASP, Password Storage, scrypt with p=3). */
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 }
const HASH_BYTES = 32

/** Least length in characters, most in bytes (reliability.md S6). */
const MIN_LENGTH = 8
const MAX_BYTES = 1024

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt)

/** A password of 144 random bits, without characters that a shell or a double click would cut. */
export function generatePassword(): string {
  return randomBytes(18).toString('base64url').replaceAll('-', 'x').replaceAll('_', 'y')
}

/** Reason why this cannot be a password; undefined when it can. */
export function passwordProblem(password: string): string | undefined {
  const characters = [...normal(password)].length
  if (characters < MIN_LENGTH)
    return `expected at least ${MIN_LENGTH} characters, got ${characters}`
  const bytes = Buffer.byteLength(password)
  if (bytes > MAX_BYTES) return `expected at most ${MAX_BYTES} bytes, got ${bytes}`
  return undefined
}

/** `scrypt$N$r$p$salt$hash`, the last two in base64: everything that checking a password needs. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(normal(password), salt, HASH_BYTES, COST)
  const { N, r, p } = COST
  return ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$')
}

/**
 * Whether this is the password of a hash. Without a hash it does the same work and says no, so that nobody
 * learns who has an account from the time it takes (reliability.md S7).
 */
export async function verifyPassword(
  password: string,
  kept: string | null | undefined,
): Promise<boolean> {
  const [, N, r, p, salt, hash] = (kept ?? NOBODY).split('$')
  const cost = { N: Number(N), r: Number(r), p: Number(p), maxmem: COST.maxmem }
  // Longer ones are never kept; hashing them would only cost.
  const tried = Buffer.byteLength(password) > MAX_BYTES ? '' : normal(password)
  const derived = await derive(tried, Buffer.from(salt ?? '', 'base64'), HASH_BYTES, cost)
  const isSame = timingSafeEqual(derived, Buffer.from(hash ?? '', 'base64'))
  return isSame && kept !== null && kept !== undefined
}

/** True for a hash of another cost than new ones have: it is made anew at the next sign-in. */
export function isOutdated(kept: string): boolean {
  const { N, r, p } = COST
  return !kept.startsWith(`scrypt$${N}$${r}$${p}$`)
}

/** A hash that no password has. */
const NOBODY = ['scrypt', COST.N, COST.r, COST.p, 'AAAAAAAAAAAAAAAAAAAAAA==', zeros()].join('$')

function zeros(): string {
  return Buffer.alloc(HASH_BYTES).toString('base64')
}

/** One password may be typed in several ways in Unicode. */
function normal(password: string): string {
  return password.normalize('NFKC')
}
