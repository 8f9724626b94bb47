import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import { isCarried } from '../engine/base/packaged-files.ts'

export interface FolderWatch {
  close(): void
}

interface WatchOptions {
  /** Quiet time before a change counts, in ms: editors write a file in several steps. */
  readonly quietMs?: number
}

/**
 * Calls `onChange` after something changed in these folders or the folders in them; folders made later are
 * watched too, those of the single binary never change. Never while an earlier call still runs: changes of
 * that time lead to one more.
 *
 * Each folder has a watcher of its own, because a recursive one on Linux misses files that an editor
 * replaces by renaming.
 */
export function watchFolders(
  folders: readonly string[],
  onChange: () => Promise<void>,
  { quietMs = 150 }: WatchOptions = {},
): FolderWatch {
  const onDisk = folders.filter((folder) => !isCarried(folder))
  /** Watchers by identity, not only by path: a folder that was made anew needs a new one. */
  const watchers = new Map<string, FSWatcher>()
  let timer: NodeJS.Timeout | undefined
  let running = false
  let again = false

  function follow(): void {
    const present = new Map(onDisk.flatMap(foldersIn))
    for (const [identity, watcher] of watchers) if (!present.has(identity)) stop(identity, watcher)
    for (const [identity, folder] of present) if (!watchers.has(identity)) start(identity, folder)
  }

  function start(identity: string, folder: string): void {
    try {
      const watcher = watch(folder, changed)
      // A folder that is removed ends its watcher; the change of its parent is what counts.
      watcher.on('error', () => stop(identity, watcher))
      watchers.set(identity, watcher)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }

  function stop(identity: string, watcher: FSWatcher): void {
    watcher.close()
    watchers.delete(identity)
  }

  function changed(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void run(), quietMs)
  }

  async function run(): Promise<void> {
    again = running
    if (running) return
    running = true
    try {
      // Before the folders are read: what is written after that is a change again.
      follow()
      await onChange()
    } finally {
      running = false
    }
    if (again) changed()
  }

  follow()
  return {
    close() {
      clearTimeout(timer)
      for (const [identity, watcher] of watchers) stop(identity, watcher)
    },
  }
}

/** Identity and path of a folder and of all in it, without hidden ones; none when it is not there. */
function foldersIn(folder: string): (readonly [string, string])[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    const inner = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    const { ino, birthtimeMs } = statSync(folder)
    const identity = `${folder} ${ino} ${birthtimeMs}`
    return [[identity, folder], ...inner.flatMap(({ name }) => foldersIn(join(folder, name)))]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
