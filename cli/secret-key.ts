import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { secretKeyFile } from './data-folder.ts'
import { Failure } from './failure.ts'

const BYTES = 32

export interface SecretKeySource {
  /** That of SVC_SECRET_KEY, when it is set. */
  readonly configured: Buffer | undefined
  readonly dataFolder: string
  /** Several processes on several machines may serve the workspace: they must be given the same key. */
  readonly shared: boolean
}

/**
 * The 32 bytes that sign cursors and encrypt secrets: of SVC_SECRET_KEY, else of `DATA/secret.key`, which
 * is made (mode 0600) where one machine holds the workspace. Throws Failure when the key is missing on
 * PostgreSQL or the file holds something else (contract §2, Environment).
 */
export function secretKey({ configured, dataFolder, shared }: SecretKeySource): Buffer {
  if (configured) return configured
  const file = secretKeyFile(dataFolder)
  if (existsSync(file)) return readKey(file)
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
    return readKey(file)
  }
  return made
}

function readKey(file: string): Buffer {
  const text = readFileSync(file, 'utf8').trim()
  const key = Buffer.from(text, 'base64')
  if (key.length === BYTES && key.toString('base64') === text) return key
  throw new Failure(
    `${file}: expected ${BYTES} bytes in base64, got something else; put the key back from where it was saved, without it stored secrets cannot be read`,
  )
}
