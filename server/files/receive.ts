import { createHash, randomUUID } from 'node:crypto'
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../engine/base/errors.ts'
import { isGone, newLeaseName } from '../../engine/base/lease-name.ts'
import type { Incoming } from './content-store.ts'

/** A file that has arrived whole, on the disk of this machine. */
export interface Received extends Incoming {
  /** Removes it, unless a store has taken it away. */
  drop(): void
}

/** Places where files arrive. */
export interface Receiving {
  /** Takes a stream of at most `most` bytes. Throws PAYLOAD_TOO_LARGE (`refusal`), UNAVAILABLE where too many arrive, and what the stream throws; nothing is left then. */
  take(stream: Readable, most: number, refusal?: (most: number) => AppError): Promise<Received>
}

/** Files that may arrive at the same time. */
const AT_ONCE = 64

/** A file of a process of another machine is given up after this long, in ms. */
const GIVEN_UP = 24 * 60 * 60 * 1000

/**
 * Place where files arrive: hashed while they come, on the disk before anybody is told of them, and gone with the
 * request that brought them. What a killed process has left is removed when it is first asked for.
 */
export function receivingInto(folder: string): Receiving {
  const holder = Buffer.from(newLeaseName()).toString('base64url')
  let arriving = 0
  let isClean = false

  function prepare(): void {
    if (isClean) return
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    sweepIncoming(folder)
    isClean = true
  }

  return {
    async take(stream, most, refusal = tooLarge) {
      if (arriving >= AT_ONCE)
        throw new AppError('UNAVAILABLE', 'too many files arrive at the moment; try again', {
          headers: { 'Retry-After': '5' },
        })
      prepare()
      arriving += 1
      const path = join(folder, `${holder}.${randomUUID()}`)
      const drop = (): void => rmSync(path, { force: true })
      const hash = createHash('sha256')
      let size = 0
      // Opened before anything can end: what is opened later than it was dropped would stay.
      const fd = openSync(path, 'wx', 0o600)
      try {
        await pipeline(
          stream,
          async function* counted(chunks: AsyncIterable<Buffer>) {
            for await (const chunk of chunks) {
              size += chunk.length
              if (size > most) throw refusal(most)
              hash.update(chunk)
              yield chunk
            }
          },
          createWriteStream('', { fd, flush: true }),
        )
        return { path, hash: hash.digest('hex'), size, drop }
      } catch (error) {
        drop()
        throw error
      } finally {
        arriving -= 1
      }
    },
  }
}

/** Removes what processes that are gone have left of files that were arriving. */
export function sweepIncoming(folder: string): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (isLeft(name, path)) rmSync(path, { force: true })
  }
}

function isLeft(name: string, path: string): boolean {
  try {
    const holder = Buffer.from(name.split('.')[0] ?? '', 'base64url').toString('utf8')
    return isGone(holder) || Date.now() - statSync(path).mtimeMs > GIVEN_UP
  } catch {
    // No name of ours, or gone meanwhile.
    return false
  }
}

/** 413 for a file beyond the limit of the plan. */
function tooLarge(most: number): AppError {
  return new AppError(
    'PAYLOAD_TOO_LARGE',
    `expected a file of at most ${Math.floor(most / 1_000_000)} MB, as this workspace's plan has it`,
  )
}
