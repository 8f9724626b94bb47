import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Scene } from '../scene.ts'

/** A disk of its own, in memory, that may be filled and made to be read only. */
export interface SmallDisk {
  /** Folder that it is mounted at. */
  readonly path: string
  /** Lets it be written to, or only be read. */
  allowWrites(isAllowed: boolean): void
  /** Unmounts it; twice is once. */
  remove(): void
}

/** Room beside the database for what is written to it, in bytes. */
const ROOM = 96 * 1024 * 1024
/** Share of the free memory that a disk may take. */
const SHARE = 0.5

/** Reason why this machine mounts no disk for us; undefined where it does. */
export function noMount(): string | undefined {
  if (process.platform !== 'linux') return 'a small disk can only be mounted on Linux'
  if (process.getuid?.() !== 0) return 'mounting a small disk needs the rights of root'
  const folder = mkdtempSync(join(tmpdir(), 'svc-chaos-mount-'))
  try {
    mount('-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder)
    execFileSync('umount', [folder], { stdio: 'pipe' })
    return undefined
  } catch {
    return 'this machine lets nobody mount a small disk (a container without CAP_SYS_ADMIN)'
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function mount(...args: readonly string[]): void {
  execFileSync('mount', args, { stdio: 'pipe' })
}

function mountDisk(path: string, bytes: number): SmallDisk {
  mkdirSync(path, { recursive: true })
  mount('-t', 'tmpfs', '-o', `size=${bytes},mode=0700`, 'tmpfs', path)
  let isThere = true
  return {
    path,
    allowWrites: (isAllowed) => mount('-o', `remount,${isAllowed ? 'rw' : 'ro'}`, path),
    remove() {
      if (!isThere) return
      isThere = false
      execFileSync('umount', [path], { stdio: 'pipe' })
      rmSync(path, { recursive: true, force: true })
    },
  }
}

/**
 * Moves the copy to a small disk for a job, and back. The clients rest while it is moved. Throws Error where there is not the
 * memory for one.
 */
export async function onSmallDisk<T>(
  scene: Scene,
  job: (disk: SmallDisk) => Promise<T>,
): Promise<T> {
  const home = scene.place()
  const { size } = statSync(join(home, 'workspace.db'))
  const bytes = size * 2 + ROOM
  if (bytes > freemem() * SHARE)
    throw new Error(`a disk of ${Math.ceil(bytes / 1024 / 1024)} MB does not fit into the memory`)
  const disk = mountDisk(join(scene.copy.folder, 'disk'), bytes)
  scene.copy.beforeRemoval(disk.remove)
  const there = join(disk.path, 'data')
  try {
    await move(scene, home, there)
    const result = await job(disk)
    await move(scene, there, home)
    return result
  } finally {
    // Where the job failed, its servers hold the disk.
    if (scene.place() === there) await scene.end()
    disk.remove()
  }
}

async function move(scene: Scene, from: string, to: string): Promise<void> {
  await scene.load.stop()
  await scene.load.settle()
  await scene.stopServers()
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true })
  await scene.serve(to)
  scene.load.start()
}
