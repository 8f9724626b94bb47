import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileSystem } from '../../base/packaged-files.ts'
import { replaceFile } from '../../base/replace-file.ts'
import type { DocTypeDefinition } from '../model/definition.ts'
import type { FileNames } from './file-names.ts'
import { deepFreeze } from './freeze.ts'

/** Version of the cache file itself; what is in it goes by the checksum of the program, which the key holds. */
const FORMAT = 1
/** Files kept beside the current one: for who goes back and forth between two branches or versions. */
const KEPT_OTHERS = 1
const CACHE_FILE = /^definitions-[0-9a-f]{64}\.json$/
const TEMPORARY_FILE = /^definitions-[0-9a-f]{64}\.json\.[0-9a-f-]{36}\.tmp$/
/** Age, in ms, at which a temporary file of `replaceFile` was left by a process that ended while it wrote. */
const LEFT_BEHIND = 60_000

/** The first line of a cache file; the definitions are the rest. */
interface Header {
  readonly format: number
  /** Checksum of what the definitions were made from. */
  readonly key: string
  /** SHA-256 of the rest: a file that was cut off or changed does not count. */
  readonly content: string
}

/** The definitions that were made of one set of files. No failure of the disk leaves it. */
export interface DefinitionCache {
  /** Definitions, frozen, in the order in which they were written; undefined when there are none to trust. */
  read(): readonly DocTypeDefinition[] | undefined
  /** Keeps these definitions; returns whether they are kept now. */
  write(definitions: readonly DocTypeDefinition[]): boolean
}

/**
 * The file `definitions-<key>.json` in a folder (docs/decisions/0015). Only definitions that have passed
 * every check may be written: what is read is used as it is, but for the files it came from, which are kept by their `names`.
 */
export function definitionCache(folder: string, key: string, names: FileNames): DefinitionCache {
  const name = cacheFileName(key)
  return {
    read() {
      try {
        return readCacheFile(join(folder, name), key, names)
      } catch (_unusable) {
        // Missing, unreadable and damaged are all one: the definitions are made from their files again.
        return undefined
      }
    },
    write(definitions) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        replaceFile(join(folder, name), cacheFileText(key, definitions, names), 0o600)
        removeOldFiles(folder, name)
        return true
      } catch (error) {
        // A full or read-only disk must not stop a start that needs nothing from it.
        if ((error as NodeJS.ErrnoException).code === undefined) throw error
        return false
      }
    },
  }
}

function readCacheFile(
  file: string,
  key: string,
  names: FileNames,
): readonly DocTypeDefinition[] | undefined {
  const text = fileSystem.bytes(file).toString()
  const end = text.indexOf('\n')
  const header = JSON.parse(text.slice(0, end)) as Header
  const content = text.slice(end + 1)
  if (header.format !== FORMAT || header.key !== key) return undefined
  if (header.content !== hash('sha256', content)) return undefined
  const definitions = JSON.parse(content) as readonly DocTypeDefinition[]
  return deepFreeze(withFiles(definitions, names.pathOf))
}

/** Name of the cache file of these definitions. */
export function cacheFileName(key: string): string {
  return `definitions-${key}.json`
}

/** Text of the cache file of these definitions. */
export function cacheFileText(
  key: string,
  definitions: readonly DocTypeDefinition[],
  names: FileNames,
): string {
  const content = JSON.stringify(withFiles(definitions, names.nameOf))
  const header: Header = { format: FORMAT, key, content: hash('sha256', content) }
  return `${JSON.stringify(header)}\n${content}`
}

/** The same definitions, with other words for the files they came from. */
function withFiles(
  definitions: readonly DocTypeDefinition[],
  word: (file: string) => string,
): readonly DocTypeDefinition[] {
  return definitions.map((definition) => ({ ...definition, files: definition.files.map(word) }))
}

function removeOldFiles(folder: string, current: string): void {
  const names = readdirSync(folder)
  // Another process may have removed one meanwhile.
  const time = (name: string): number =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const old = names
    .filter((name) => CACHE_FILE.test(name) && name !== current)
    .map((name) => ({ name, time: time(name) }))
    .sort((a, b) => b.time - a.time)
    .slice(KEPT_OTHERS)
    .map(({ name }) => name)
  const now = time(current)
  const left = names.filter((name) => TEMPORARY_FILE.test(name) && time(name) < now - LEFT_BEHIND)
  for (const name of [...old, ...left]) rmSync(join(folder, name), { force: true })
}
