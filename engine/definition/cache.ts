import { hash, randomUUID } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { DocTypeDefinition } from './definition.ts'
import { deepFreeze } from './freeze.ts'

/** Raise it when the file itself is laid out differently; what is in it follows the program's checksum. */
const FORMAT = 1
/** This one, and the one before it for who goes back and forth between two versions. */
const KEPT_FILES = 2
const CACHE_FILE = /^definitions-[0-9a-f]{64}\.json$/
const TEMPORARY_FILE = /^definitions-[0-9a-f]{64}\.json\.[0-9a-f-]{36}\.tmp$/
/** A temporary file of this age, in ms, was left by a process that ended while it wrote. */
const LEFT_BEHIND = 60_000

/** What stands in the first line of a cache file, before the definitions. */
interface Header {
  readonly format: number
  /** What the definitions were made from. */
  readonly key: string
  /** Of the text behind the first line: a file that was cut off or changed does not count. */
  readonly content: string
}

/** The definitions that were made of one set of texts, kept in a folder. Never throws. */
export interface DefinitionCache {
  /** Frozen definitions in the order they were written; undefined when there are none to trust. */
  read(): readonly DocTypeDefinition[] | undefined
  write(definitions: readonly DocTypeDefinition[]): void
}

/**
 * The cache file `definitions-<key>.json` of a folder (docs/decisions/0015). Definitions are written only
 * after every check of them has passed: what comes out is used as it is.
 */
export function definitionCache(folder: string, key: string): DefinitionCache {
  const file = join(folder, `definitions-${key}.json`)
  return {
    read() {
      try {
        return readCacheFile(file, key)
      } catch (_unusable) {
        // Missing, unreadable, foreign or damaged are one: the definitions are made from their YAML.
        return undefined
      }
    },
    write(definitions) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        replaceFile(file, fileText(key, definitions))
        removeOldFiles(folder)
      } catch (_unwritable) {
        // A full or read-only disk must not stop a start that needs nothing from it.
      }
    },
  }
}

function readCacheFile(file: string, key: string): readonly DocTypeDefinition[] | undefined {
  const text = readFileSync(file, 'utf8')
  const end = text.indexOf('\n')
  const header = JSON.parse(text.slice(0, end)) as Header
  const content = text.slice(end + 1)
  if (header.format !== FORMAT || header.key !== key) return undefined
  if (header.content !== hash('sha256', content)) return undefined
  return deepFreeze(JSON.parse(content) as readonly DocTypeDefinition[])
}

function fileText(key: string, definitions: readonly DocTypeDefinition[]): string {
  const content = JSON.stringify(definitions)
  const header: Header = { format: FORMAT, key, content: hash('sha256', content) }
  return `${JSON.stringify(header)}\n${content}`
}

/** Whoever reads at the same time sees the old file or the new one, never a part. */
function replaceFile(file: string, text: string): void {
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function removeOldFiles(folder: string): void {
  const names = readdirSync(folder)
  const age = (name: string): number =>
    Date.now() - (statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
  const old = names
    .filter((name) => CACHE_FILE.test(name))
    .map((name) => ({ name, age: age(name) }))
    .sort((a, b) => a.age - b.age)
    .slice(KEPT_FILES)
    .map(({ name }) => name)
  const left = names.filter((name) => TEMPORARY_FILE.test(name) && age(name) > LEFT_BEHIND)
  for (const name of [...old, ...left]) rmSync(join(folder, name), { force: true })
}
