import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import PQueue from 'p-queue'
import { IS_BINARY, PROGRAM_FOLDER } from '../../engine/base/packaged-files.ts'
import type { ContentStore } from './content-store.ts'
import { isPicture } from './content-type.ts'
import type { StoredFile } from './store.ts'
import { THUMBNAIL_WORD } from './thumbnail-word.ts'

const START_FILE = 'server/files/thumbnail-start.ts'

/** Bytes of a picture that a thumbnail is made of. */
const MOST_BYTES = 50_000_000

/** Thumbnails that are made at the same time, those that may wait, and the longest time for one, in ms. */
const AT_ONCE = 1
const MOST_WAITING = 50
const MOST_MS = 20_000

/** Variables that the process needs; the others hold secrets, which are none of its business. */
const KEPT = ['PATH', 'HOME', 'TMPDIR', 'TMP', 'TEMP', 'SystemRoot', 'NODE_V8_COVERAGE']

/** Small pictures of stored ones. */
export interface Thumbnails {
  /** WebP of at most 256 × 256 dots; undefined for what is no picture, or one that cannot be read. */
  of(file: Pick<StoredFile, 'hash' | 'size' | 'type'>): Promise<Buffer | undefined>
}

/** Makes thumbnails when they are first asked for, one at a time and each in a process of its own, and keeps them. */
export function thumbnailsIn(contents: ContentStore): Thumbnails {
  const queue = new PQueue({ concurrency: AT_ONCE })

  async function made(hash: string): Promise<Buffer | undefined> {
    const kept = await contents.open(hash, { made: 'thumb' })
    if (kept) return buffer(kept)
    const picture = await contents.open(hash)
    const thumbnail = picture && (await fromProcess(picture))
    // An empty one says that there is none: a bad picture is tried once.
    if (picture) await contents.putMade(hash, 'thumb', thumbnail ?? Buffer.alloc(0))
    return thumbnail
  }

  return {
    async of({ hash, size, type }) {
      if (!isPicture(type) || size > MOST_BYTES || queue.size > MOST_WAITING) return undefined
      const thumbnail = await queue.add(() => made(hash))
      return thumbnail && thumbnail.length > 0 ? thumbnail : undefined
    },
  }
}

async function fromProcess(picture: Readable): Promise<Buffer | undefined> {
  const args = IS_BINARY ? [THUMBNAIL_WORD] : [join(PROGRAM_FOLDER, START_FILE)]
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: Object.fromEntries(KEPT.map((name) => [name, process.env[name]])),
    timeout: MOST_MS,
    killSignal: 'SIGKILL',
    windowsHide: true,
  })
  const ended = new Promise<boolean>((resolve) => {
    child.on('error', () => resolve(false))
    child.on('close', (code) => resolve(code === 0))
  })
  // It may have seen enough before it has all.
  const sent = pipeline(picture, child.stdin).catch(() => undefined)
  const [bytes, isDone] = await Promise.all([buffer(child.stdout), ended, sent])
  return isDone && bytes.length > 0 ? bytes : undefined
}
