import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Scene } from '../scene.ts'
import type { Deed, Fault } from './fault.ts'
import { longest, nextChange, until } from './recovery.ts'
import { noMount, onSmallDisk } from './small-disk.ts'

/** Time for which nothing may be written, in ms. */
const READ_ONLY_MS = 3000

/** A workspace that may only be read: a disk that went read-only, a database that became a standby. */
export const readOnly: Fault = {
  name: 'read-only',
  what: 'lets the disk, or the database, only be read, and be written to again',
  missing(kind, scratch) {
    if (kind === 'postgres')
      return scratch?.kind === 'schema'
        ? 'the role may make no database of its own, and that of the workspace is left alone'
        : undefined
    return canTakeRights() ? undefined : noMount()
  },
  make(scene) {
    if (scene.copy.workspace.database.kind === 'postgres') return onPostgres(scene)
    if (canTakeRights()) {
      const folder = scene.place()
      return startedReadOnly(scene, (isAllowed) => allow(folder, isAllowed))
    }
    return onSmallDisk(scene, (disk) => startedReadOnly(scene, disk.allowWrites))
  },
}

/** Nobody but root may write where there is no right to. */
function canTakeRights(): boolean {
  return process.platform !== 'win32' && process.getuid?.() !== 0
}

function allow(folder: string, isAllowed: boolean): void {
  if (isAllowed) chmodSync(folder, 0o700)
  for (const name of readdirSync(folder))
    if (name.startsWith('workspace.db')) chmodSync(join(folder, name), isAllowed ? 0o600 : 0o400)
  if (!isAllowed) chmodSync(folder, 0o500)
}

async function onPostgres(scene: Scene): Promise<Deed> {
  const { scratch } = scene.copy
  await sleep(500)
  await scratch?.setReadOnly(true)
  const problems = await lookWhileReadOnly(scene)
  await scratch?.setReadOnly(false)
  return told(await nextChange(scene, performance.now()), problems, 'the database took no changes')
}

/** SQLite cannot lose the right to write under a server that has the file open; so it is started without. */
async function startedReadOnly(
  scene: Scene,
  allowWrites: (isAllowed: boolean) => void,
): Promise<Deed> {
  await scene.stopServers()
  allowWrites(false)
  await scene.serve()
  const problems = await lookWhileReadOnly(scene)
  await scene.stopServers()
  allowWrites(true)
  const from = performance.now()
  await scene.serve()
  return told(await nextChange(scene, from), problems, 'the disk took no changes')
}

async function lookWhileReadOnly({ load }: Scene): Promise<readonly string[]> {
  const before = load.seen()
  const isRefused = await until(() => load.seen().unavailable > before.unavailable, 20_000)
  const { read, acknowledged } = load.seen()
  await sleep(READ_ONLY_MS)
  const after = load.seen()
  return [
    ...(isRefused ? [] : ['no change was refused while nothing could be written']),
    ...(after.read > read ? [] : ['nothing could be read meanwhile']),
    ...(isRefused && after.acknowledged > acknowledged
      ? ['changes were answered while nothing could be written']
      : []),
  ]
}

function told(recovered: number, problems: readonly string[], what: string): Deed {
  const { recoveredMs, problems: more } = longest([recovered])
  return {
    did: `${what} for ${READ_ONLY_MS / 1000} s`,
    recoveredMs,
    problems: [...problems, ...more],
  }
}
