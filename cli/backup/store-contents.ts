import { globSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ContentParts } from '../../engine/storage/backup/contents.ts'
import type { ContentStore } from '../../server/files/content-store.ts'

/** Contents of a store elsewhere, for a backup: as they come, some kilobytes of memory at a time. */
export function contentsOf(store: Pick<ContentStore, 'open'>): ContentParts {
  return async function* parts(hash) {
    const stream = await store.open(hash)
    if (!stream) return
    let isEmpty = true
    for await (const part of stream) {
      yield Buffer.from(part)
      isEmpty = false
    }
    if (isEmpty) yield Buffer.alloc(0)
  }
}

/**
 * Puts the contents of a folder, which a backup held, into the store where the workspace has them, and removes the folder.
 * A content is called by its hash, so those of an earlier try, or of the workspace that was there, are no others.
 */
export async function moveToStore(folder: string, store: Pick<ContentStore, 'put'>): Promise<void> {
  for (const path of globSync(join(folder, '??/*')))
    await store.put({ path, hash: basename(path), size: statSync(path).size })
  rmSync(folder, { recursive: true, force: true })
}
