import { buffer } from 'node:stream/consumers'
import PQueue from 'p-queue'
import { type Helper, runHelper } from '../../engine/base/helper-process.ts'
import type { ContentStore } from './content-store.ts'
import { isPicture } from './content-type.ts'
import type { StoredFile } from './store.ts'
import { THUMBNAIL_WORD } from './thumbnail-word.ts'

const THUMBNAIL: Helper = {
  word: THUMBNAIL_WORD,
  file: 'server/files/thumbnail-start.ts',
  mostMs: 20_000,
}

/** Bytes of a picture that a thumbnail is made of. */
const MOST_BYTES = 50_000_000

/** Thumbnails that are made at the same time, and those that may wait. */
const AT_ONCE = 1
const MOST_WAITING = 50

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
    const thumbnail = picture && (await runHelper(THUMBNAIL, picture))
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
