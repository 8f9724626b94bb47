import { join, sep } from 'node:path'
import { once } from '../../base/once.ts'
import { IS_BINARY, PROGRAM_FOLDER } from '../../base/packaged-files.ts'
import { type Parse, rememberingParser } from '../../expression/syntax/parse.ts'
import { createRegistry } from '../model/registry.ts'
import type { Hooks } from '../model/vocabulary.ts'
import type { SourceFile } from '../yaml/source.ts'
import { type DefinitionCache, definitionCache } from './cache.ts'
import { definitionsKey } from './cache-key.ts'
import { fileNames } from './file-names.ts'
import {
  filesThatDecide,
  type ReportFiles,
  readReportFiles,
  readWorkspaceFiles,
} from './folders.ts'
import { type LoadedDefinitions, latePositions, loadLayers } from './load.ts'
import { runOnce } from './run-once.ts'
import { readWithVocabulary } from './vocabulary.ts'

/**
 * Folder in which the program keeps the definitions of its own DocTypes: the single binary carries it, a checkout
 * makes it once for all its workspaces.
 */
const PROGRAM_CACHE = join(PROGRAM_FOLDER, IS_BINARY ? 'cache' : 'node_modules/.cache/svc')

const PROGRAM_DOCTYPES = join(PROGRAM_FOLDER, 'doctypes') + sep

/** What definitions are loaded from. */
export interface DefinitionSources {
  /** Folders of DocTypes: the shipped ones first, overlays after them. */
  readonly doctypes: readonly string[]
  /** The hooks that DocTypes may call. */
  readonly hooks: Hooks
  /** Where checked definitions are kept between starts; it may be removed at any time. */
  readonly cacheFolder?: string | undefined
}

/** Definitions that have passed a check, now or before. */
export interface CachedDefinitions<Checked> extends LoadedDefinitions {
  /** What the check gave; undefined where a cache says that they have passed it. */
  readonly checked: Checked | undefined
}

/**
 * Loads and checks definitions, or takes them from a cache: the same files and the same program give the same
 * definitions. `check` throws when it finds a mistake; what passes is kept, that of the program's own DocTypes with
 * the program, where that may be written to, and all else in the cache folder. Without a cache folder nothing is
 * written, and only what is kept with the program is not checked again.
 */
export function loadCached<Checked>(
  { doctypes: folders, hooks, cacheFolder }: DefinitionSources,
  check: (loaded: LoadedDefinitions, parse: Parse, reports: () => ReportFiles) => Checked,
): CachedDefinitions<Checked> {
  const files = readWithVocabulary(folders, hooks)
  const reports = once(() => readReportFiles(folders))
  const { layers, vocabulary, problems } = files
  // What reports and workspaces say is checked with the DocTypes they read.
  const caches =
    problems.length > 0
      ? []
      : cachesOf(
          filesThatDecide(files, reports(), readWorkspaceFiles(folders)),
          { hooks, folders },
          cacheFolder,
        )
  const known = firstOf(caches, (cache) => cache.read())
  if (known)
    return {
      registry: createRegistry(known, vocabulary),
      ...latePositions(layers),
      checked: undefined,
    }
  const { loaded, checked } = runOnce(() => {
    const parse = rememberingParser()
    const loaded = loadLayers(layers, vocabulary, problems, parse)
    const checked = check(loaded, parse, reports)
    // What is checked keeps the parser, and hardly reads another text.
    parse.forget()
    return { loaded, checked }
  })
  caches.some((cache) => cache.write(loaded.definitions))
  return { ...loaded, checked }
}

/** The caches that may hold the definitions of these files, the one to write to first. */
function cachesOf(
  layers: readonly (readonly SourceFile[])[],
  { hooks, folders }: { readonly hooks: Hooks; readonly folders: readonly string[] },
  cacheFolder: string | undefined,
): readonly DefinitionCache[] {
  const isOfProgram = areOfProgram(layers)
  if (cacheFolder === undefined && !isOfProgram) return []
  const names = fileNames(folders)
  const key = definitionsKey(layers, hooks, names)
  if (key === undefined) return []
  const own = cacheFolder === undefined ? [] : [definitionCache(cacheFolder, key, names)]
  if (!isOfProgram) return own
  const program = definitionCache(PROGRAM_CACHE, key, names)
  const isOnlyRead = IS_BINARY || cacheFolder === undefined
  return [isOnlyRead ? { ...program, write: () => false } : program, ...own]
}

function areOfProgram(layers: readonly (readonly SourceFile[])[]): boolean {
  return layers.flat().every(({ path }) => path.startsWith(PROGRAM_DOCTYPES))
}

function firstOf<T, R>(items: readonly T[], look: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = look(item)
    if (found !== undefined) return found
  }
  return undefined
}
