import { createHash } from 'node:crypto'
import { closeSync, createReadStream, createWriteStream, openSync, readSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { damaged } from '../../engine/storage/backup/manifest.ts'
import { Failure, UsageError } from '../failure.ts'
import type { EncryptTo, OpenWith } from './backup-keys.ts'

/** First line of every file of age, and how the next one begins where a passphrase opens it. */
const START = 'age-encryption.org/v1\n'
const BY_PASSPHRASE = `${START}-> scrypt `

/** Bytes of one read: a multiple of age's chunks. */
const CHUNK = 1 << 20

/** How an encrypted backup is opened; undefined for a file that is not encrypted. */
export function encryptionOf(file: string): 'passphrase' | 'identity' | undefined {
  const handle = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(BY_PASSPHRASE.length)
    const start = bytes.toString('latin1', 0, readSync(handle, bytes, 0, bytes.length, 0))
    if (!start.startsWith(START)) return undefined
    return start === BY_PASSPHRASE ? 'passphrase' : 'identity'
  } finally {
    closeSync(handle)
  }
}

/**
 * Encrypts a file into another one in the format of age, some megabytes of memory at a time, and reads what it has
 * written again. Throws UsageError for a public key that is none, VALIDATION_ERROR where the disk gives back something else.
 */
export async function encryptFile(from: string, to: string, key: EncryptTo): Promise<void> {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  if ('passphrase' in key) encrypter.setPassphrase(key.passphrase)
  else for (const recipient of key.recipients) addRecipient(encrypter, recipient)
  const written = createHash('sha256')
  await pipeline(
    Readable.fromWeb((await encrypter.encrypt(webStream(from))) as ReadableStream),
    async function* hashed(chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        written.update(chunk)
        yield chunk
      }
    },
    createWriteStream(to),
  )
  const read = createHash('sha256')
  await pipeline(createReadStream(to, { highWaterMark: CHUNK }), read)
  if (!read.digest().equals(written.digest()))
    throw damaged('the disk has kept other bytes than were written')
}

function addRecipient(encrypter: { addRecipient(text: string): void }, recipient: string): void {
  try {
    encrypter.addRecipient(recipient)
  } catch (error) {
    throw new UsageError(
      `--recipient: expected a public key of age such as age1…, got ${JSON.stringify(recipient)}`,
      { cause: error },
    )
  }
}

/**
 * Decrypts a file of age into a new one (mode 0600). Throws Failure for another key than the file's, VALIDATION_ERROR
 * for a file that was changed or cut off: what was written by then is worth nothing.
 */
export async function decryptFile(from: string, to: string, key: OpenWith): Promise<void> {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  if ('passphrase' in key) decrypter.addPassphrase(key.passphrase)
  else for (const identity of key.identities) addIdentity(decrypter, identity)
  const opened = await decrypter.decrypt(webStream(from)).catch((error: Error) => {
    if (!error.message.startsWith('no identity matched')) throw cutOff(error)
    throw new Failure(
      'passphrase' in key
        ? 'this is not the passphrase of the backup'
        : 'the backup is encrypted to another key than that of --identity',
    )
  })
  const target = createWriteStream(to, { flags: 'wx', mode: 0o600 })
  await pipeline(Readable.fromWeb(opened as ReadableStream), target).catch((error: Error) => {
    // What the disk says has a code of the system.
    if ('syscall' in error) throw error
    throw cutOff(error)
  })
}

function addIdentity(decrypter: { addIdentity(text: string): void }, identity: string): void {
  try {
    decrypter.addIdentity(identity)
  } catch (error) {
    // Never the line itself: it may be a key with a slip in it.
    throw new Failure(
      '--identity: expected lines AGE-SECRET-KEY-1…, got one that is no key of age',
      {
        cause: error,
      },
    )
  }
}

function cutOff(error: Error): Error {
  return damaged('it was changed or cut off since it was encrypted', error)
}

function webStream(file: string): globalThis.ReadableStream<Uint8Array> {
  return Readable.toWeb(
    createReadStream(file, { highWaterMark: CHUNK }),
  ) as unknown as globalThis.ReadableStream<Uint8Array>
}
