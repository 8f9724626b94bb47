import { existsSync } from 'node:fs'
import { open, seal } from '../../engine/base/seal.ts'
import { secretKeyFile } from '../data-folder.ts'
import { secretKey } from '../secret-key.ts'
import type { Workspace } from '../workspace.ts'

const PURPOSE = 'backup'
const TEXT = 'the key of this workspace'

/** The secret key of a workspace where there is one; none is made. Throws Failure for a file that holds none. */
export function presentKey({ secretKey: configured, dataFolder }: Workspace): Buffer | undefined {
  if (configured === undefined && !existsSync(secretKeyFile(dataFolder))) return undefined
  return secretKey({ configured, dataFolder, shared: true })
}

/** A text by which the key is known again; it tells nothing about the key. */
export function keyCheckOf(key: Buffer | undefined): string | null {
  return key === undefined ? null : seal(key, PURPOSE, TEXT)
}

/** Whether a key is the one that made this text. */
export function isSameKey(key: Buffer, keyCheck: string): boolean {
  try {
    return open(key, PURPOSE, keyCheck) === TEXT
  } catch (_sealedWithAnother) {
    return false
  }
}
