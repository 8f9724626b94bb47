import { hash, randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { constants as systemConstants, tmpdir, userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type BetterSqlite3 from 'better-sqlite3'
import { fileSystem, IS_BINARY, libraryFile } from '../base/packaged-files.ts'

/** Of group and others: who may write a library may run code as us. */
const WRITABLE_BY_OTHERS = 0o022

export interface LibraryPlaces {
  /** Path of the database: the cache of its folder is a place that belongs to us. */
  readonly file: string
  /** Where it is looked for and put first (SVC_NATIVE_DIR). */
  readonly nativeFolder?: string | undefined
}

/** What a library exports once it is loaded. */
type Addon = object

/** A library is loaded once a process, whatever is opened with it: the system keeps it until the end. */
const loaded = new Map<string, Addon>()

/**
 * What every `new BetterSqlite3(file, …)` is given besides its own options: in the single binary SQLite's
 * native library, in a checkout nothing, because it lies on disk and is found. The system only loads libraries
 * from files, so it is unpacked into the first folder that allows it. Throws an Error that names every folder
 * that did not, and what to do.
 */
export function sqliteLibrary(options: LibraryPlaces): BetterSqlite3.Options {
  // The library takes what a file exports too, which its types do not know.
  return IS_BINARY ? { nativeBinding: carriedLibrary(options) as never } : {}
}

function carriedLibrary(options: LibraryPlaces): Addon {
  const name = `better-sqlite3/prebuilds/${process.platform}-${process.arch}.node`
  const known = loaded.get(name)
  if (known) return known
  const addon = loadUnpacked(fileSystem.bytes(libraryFile(name)), foldersFor(options))
  loaded.set(name, addon)
  return addon
}

/** Where a library may be unpacked, the best place first. */
function foldersFor({ file, nativeFolder }: LibraryPlaces): readonly string[] {
  const user = process.getuid?.() ?? userInfo().username
  return [
    ...(nativeFolder === undefined ? [] : [nativeFolder]),
    join(dirname(resolve(file)), 'cache'),
    join(tmpdir(), `svc-native-${user}`),
    resolve('.svc-native'),
  ]
}

/**
 * Loads a native library from the first of these folders that can hold it. The file is named for its SHA-256
 * and used by later processes. Folder and file have to be ours and closed to others, and the file that is
 * loaded is the very one whose content was compared, so what somebody else has put there is never loaded.
 */
export function loadUnpacked(content: Buffer, folders: readonly string[]): Addon {
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
  mkdirSync(folder, { recursive: true, mode: 0o700 })
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

/** Whoever starts at the same time finds no file or a whole one. */
function openNew(path: string, library: Library): number {
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    writeFileSync(temporary, library.content, { mode: 0o500, flag: 'wx' })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  const file = openIfSame(path, library)
  if (file === undefined) throw new Error(`${path} is not what was written`)
  return file
}

function load(path: string): Addon {
  const library = { exports: {} }
  process.dlopen(library, path, systemConstants.dlopen.RTLD_LAZY)
  return library.exports
}
