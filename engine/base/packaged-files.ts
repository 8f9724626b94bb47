import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, posix } from 'node:path'
import { getAssetKeys, getRawAsset, isSea } from 'node:sea'
import { gunzipSync } from 'node:zlib'

/** A file or folder in a folder. */
export interface FolderEntry {
  readonly name: string
  readonly isFolder: boolean
}

/** The reads that files on disk and files that come with the program have in common. */
export interface ReadFiles {
  /** The whole file. Throws an Error with the code ENOENT where there is none. */
  readonly bytes: (path: string) => Buffer
  /** Size of a file in bytes. Throws as `bytes` does. */
  readonly size: (path: string) => number
  readonly exists: (path: string) => boolean
  /** Entries of a folder, in no order. Throws an Error with the code ENOENT where there is none. */
  readonly list: (folder: string) => readonly FolderEntry[]
}

/** Files that a single binary carries: bytes for a name such as `doctypes/crm/lead.yaml`. */
export interface CarriedFiles {
  readonly names: () => readonly string[]
  readonly bytes: (name: string) => ArrayBuffer
}

/** Whether this is the single binary, where nothing of the program lies on disk. */
export const IS_BINARY = isSea()

/**
 * Folder in which the files of the binary seem to lie, wherever it is: no path of a file on disk begins so, because
 * all of them are made absolute before they are opened.
 */
export const BINARY_FOLDER = 'svc:'

/** Folder of the program, with package.json in it. */
export const PROGRAM_FOLDER = IS_BINARY ? BINARY_FOLDER : join(import.meta.dirname, '../..')

/** The file of an installed library that is served or loaded as it is, by `package/path/in/it`. */
export function libraryFile(name: string): string {
  return IS_BINARY
    ? join(BINARY_FOLDER, 'node_modules', name)
    : createRequire(import.meta.url).resolve(name)
}

/**
 * Bytes of a file of an installed library that is seldom needed: the binary carries it packed, and it is unpacked each time
 * that it is asked for.
 */
export function libraryBytes(name: string): Buffer {
  const bytes = fileSystem.bytes(libraryFile(name))
  return IS_BINARY ? gunzipSync(bytes) : bytes
}

const ON_DISK: ReadFiles = {
  bytes: (path) => readFileSync(path),
  size: (path) => statSync(path).size,
  exists: existsSync,
  list: (folder) =>
    readdirSync(folder, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
    })),
}

/** Files below `BINARY_FOLDER` out of what is carried, all others from disk. */
export function filesOver(carried: CarriedFiles): ReadFiles {
  let tree: ReadonlyMap<string, ReadonlyMap<string, boolean>> | undefined
  function folders(): NonNullable<typeof tree> {
    tree ??= foldersOf(carried.names())
    return tree
  }

  function isFolder(name: string): boolean | undefined {
    if (folders().has(name)) return true
    const { dir, base } = posix.parse(name)
    return folders().get(dir)?.get(base)
  }

  function fileAt(path: string): Buffer {
    const name = carriedName(path)
    if (isFolder(name) !== false) throw missing(path)
    return Buffer.from(carried.bytes(name))
  }

  return {
    bytes: (path) => (isCarried(path) ? fileAt(path) : ON_DISK.bytes(path)),
    size: (path) => (isCarried(path) ? fileAt(path).length : ON_DISK.size(path)),
    exists: (path) =>
      isCarried(path) ? isFolder(carriedName(path)) !== undefined : ON_DISK.exists(path),
    list(folder) {
      if (!isCarried(folder)) return ON_DISK.list(folder)
      const entries = folders().get(carriedName(folder))
      if (!entries) throw missing(folder)
      return [...entries].map(([name, isFolder]) => ({ name, isFolder }))
    },
  }
}

/** Reads files wherever they are: of the program, which may be a single binary, or on disk. */
export const fileSystem: ReadFiles = IS_BINARY
  ? filesOver({ names: getAssetKeys, bytes: getRawAsset })
  : ON_DISK

/** Whether a path is that of a file or folder the binary carries: it cannot be watched, written or changed. */
export function isCarried(path: string): boolean {
  return /^svc:(?:[\\/]|$)/.test(path)
}

function carriedName(path: string): string {
  return path.slice(BINARY_FOLDER.length + 1).replaceAll('\\', '/')
}

/** Each folder with what is in it, and whether that is a folder; the top is the empty name. */
function foldersOf(names: readonly string[]): Map<string, Map<string, boolean>> {
  const folders = new Map<string, Map<string, boolean>>([['', new Map()]])
  for (const name of names) {
    const parts = name.split('/')
    let folder = ''
    for (const [index, part] of parts.entries()) {
      const isFolder = index < parts.length - 1
      folders.get(folder)!.set(part, isFolder)
      folder = folder === '' ? part : `${folder}/${part}`
      if (isFolder && !folders.has(folder)) folders.set(folder, new Map())
    }
  }
  return folders
}

function missing(path: string): Error {
  return Object.assign(new Error(`ENOENT: the program carries no ${path}`), {
    code: 'ENOENT',
    path,
  })
}
