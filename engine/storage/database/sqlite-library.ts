import { hash } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  type Stats,
} from 'node:fs'
import { constants as systemConstants, tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { fileSystem, libraryFile } from '../../base/packaged-files.ts'
import { replaceFile } from '../../base/replace-file.ts'

/** Write permission of group and others: who may write a library may run code as us. */
const WRITABLE_BY_OTHERS = 0o022

/** Exports of a library once it is loaded. */
type Addon = object

/** State of the process, not of a workspace, because the system loads a library once and keeps it until the end. */
const ofProcess: { folders: readonly string[]; addon?: Addon } = { folders: [] }

/**
 * Sets the folders that the single binary unpacks SQLite's library into, the best one first, if it has to: before the
 * first database is opened. Without it, and when none of them will do, the temporary folder and the current one
 * serve.
 */
export function unpackLibraryInto(folders: readonly string[]): void {
  ofProcess.folders = folders
}

/** Folders that `unpackLibraryInto` was given, for a process that is to find them too. */
export function libraryFolders(): readonly string[] {
  return ofProcess.folders
}

/**
 * SQLite's native library out of the single binary. The build puts this in the place where better-sqlite3 looks
 * for its own file (build/bundle.ts), so it serves whoever opens a database. The system only loads libraries
 * from files, so it is unpacked into the first folder that allows it. Throws an Error that names every folder
 * that did not, and what to do.
 *
 * @public
 */
export function carriedLibrary(): Addon {
  const name = `better-sqlite3/prebuilds/${process.platform}-${process.arch}.node`
  const user = process.getuid?.() ?? userInfo().username
  ofProcess.addon ??= loadUnpacked(fileSystem.bytes(libraryFile(name)), [
    ...ofProcess.folders,
    join(tmpdir(), `svc-native-${user}`),
    resolve('.svc-native'),
  ])
  return ofProcess.addon
}

/**
 * Loads a native library from the first of these folders that can hold it. The file is named for its SHA-256
 * and used by later processes. Folder and file have to be ours and closed to others, and the file that is
 * loaded is the very one whose content was compared, so what somebody else has put there is never loaded.
 */
function loadUnpacked(content: Buffer, folders: readonly string[]): Addon {
  const checksum = hash('sha256', content)
  const failures: string[] = []
  for (const folder of folders) {
    try {
      return loadFrom(folder, { name: `svc-${checksum}.node`, content, checksum })
    } catch (error) {
      failures.push(`${folder} (${(error as Error).message})`)
    }
  }
  throw new Error(
    `SQLite's library can be loaded from none of these folders: ${failures.join('; ')}. Let SVC_NATIVE_DIR name a folder that belongs to this user, that others cannot write to, and on a disk that allows programs`,
  )
}

interface Library {
  readonly name: string
  readonly content: Buffer
  readonly checksum: string
}

function loadFrom(folder: string, library: Library): Addon {
  // Only itself: a data folder is nothing to be made by the way.
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
  const about = lstatSync(folder)
  if (!about.isDirectory()) throw new Error('it is no folder')
  assertOurs(about)
  const path = join(folder, library.name)
  const file = openIfSame(path, library) ?? openNew(path, library)
  try {
    // By its open file: the path could lead to another one by now.
    const open = `/proc/self/fd/${file}`
    return load(existsSync(open) ? open : path)
  } finally {
    closeSync(file)
  }
}

/** Throws when somebody else owns it or may write to it. Windows has no such owners. */
function assertOurs({ uid, mode }: Stats): void {
  const user = process.geteuid?.()
  if (user === undefined) return
  if (uid !== user) throw new Error(`it belongs to user ${uid}, not to us, ${user}`)
  if (mode & WRITABLE_BY_OTHERS) throw new Error('others may write to it')
}

/** An earlier process's file, open; undefined when it is not there or not what we would write. */
function openIfSame(path: string, { content, checksum }: Library): number | undefined {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  } catch (_missingOrLink) {
    return undefined
  }
  try {
    const about = fstatSync(file)
    assertOurs(about)
    // The size first: a pipe or a file without end is not read.
    const same =
      about.isFile() &&
      about.size === content.length &&
      hash('sha256', readFileSync(file)) === checksum
    if (same) return file
  } catch (_unusable) {
    // It is written anew, which says what is wrong if that fails too.
  }
  closeSync(file)
  return undefined
}

function openNew(path: string, library: Library): number {
  replaceFile(path, library.content, 0o500)
  const file = openIfSame(path, library)
  if (file === undefined) throw new Error(`${path} is not what was written`)
  return file
}

function load(path: string): Addon {
  const library = { exports: {} }
  process.dlopen(library, path, systemConstants.dlopen.RTLD_LAZY)
  return library.exports
}
