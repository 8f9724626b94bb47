import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from './failure.ts'

const BYTES = 32

export interface SecretKeySource {
  /** Value of SVC_SECRET_KEY, when it is set. */
  readonly configured: string | undefined
  readonly dataFolder: string
  /** Several processes on several machines may serve the workspace: they must be given the same key. */
  readonly shared: boolean
}

/**
 * The 32 bytes that sign cursors and encrypt secrets: of SVC_SECRET_KEY, else of `DATA/secret.key`, which
 * is made (mode 0600) where one machine holds the workspace. Throws Failure when the key is missing on
 * PostgreSQL or is not 32 bytes of base64 (contract §2, Environment).
 */
export function secretKey({ configured, dataFolder, shared }: SecretKeySource): Buffer {
  if (configured !== undefined && configured !== '') return decode(configured, 'SVC_SECRET_KEY')
  const file = join(dataFolder, 'secret.key')
  if (existsSync(file)) return decode(readFileSync(file, 'utf8'), file)
  if (shared) {
    throw new Failure(
      `with PostgreSQL every process needs the same secret key: set SVC_SECRET_KEY (${BYTES} bytes, base64; \`openssl rand -base64 ${BYTES}\` makes one) or put it into ${file}`,
    )
  }
  return createKey(file)
}

/** Two processes that start together agree on the key of the first. */
function createKey(file: string): Buffer {
  const made = randomBytes(BYTES)
  try {
    writeFileSync(file, `${made.toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return decode(readFileSync(file, 'utf8'), file)
  }
  return made
}

function decode(text: string, source: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length === BYTES && /^[A-Za-z0-9+/_-]+={0,2}$/.test(text.trim())) return key
  throw new Failure(
    `${source}: expected ${BYTES} bytes in base64 (\`openssl rand -base64 ${BYTES}\` makes them), got ${key.length} bytes`,
  )
}
