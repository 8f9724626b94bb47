import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts a text with the workspace's secret key (AES-256-GCM): nonce, tag and cipher text as base64url.
 * `purpose` names what the text is for; it must be the same to open it, so a sealed text cannot be moved
 * to another place.
 */
export function seal(key: Buffer, purpose: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, derivedKey(key), nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Opens a sealed text. Throws an Error when it was changed, or sealed with another key or for another purpose. */
export function open(key: Buffer, purpose: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  if (tag.length !== TAG_BYTES)
    throw new Error('a sealed text is too short; it was not made by seal()')
  const decipher = createDecipheriv(CIPHER, derivedKey(key), nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(purpose))
  decipher.setAuthTag(tag)
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([text, decipher.final()]).toString('utf8')
}

/** Key of sealing alone: the secret key signs cursors too, and each use has a key of its own. */
function derivedKey(key: Buffer): Buffer {
  return createHmac('sha256', key).update('seal').digest()
}
