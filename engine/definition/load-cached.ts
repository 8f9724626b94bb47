import { join } from 'node:path'
import { IS_BINARY, PROGRAM_FOLDER } from '../base/packaged-files.ts'
import { definitionCache } from './cache.ts'
import { definitionsKey } from './cache-key.ts'
import type { DocTypeDefinition } from './definition.ts'
import { readFolders, readReportFiles } from './folders.ts'
import { type LoadedDefinitions, latePositions, loadLayers } from './load.ts'
import { createRegistry } from './registry.ts'

/** Where the binary has the definitions that its build has checked. */
const CARRIED_CACHE = join(PROGRAM_FOLDER, 'cache')

/**
 * `loadDefinitions` and a check of what they say, or what the cache folder holds of both: the same files
 * and the same program give the same definitions. `check` throws when it finds a mistake; what passes is
 * kept. The single binary carries what the shipped DocTypes come to. Without a cache folder every call loads
 * and checks.
 */
export function loadCached(
  folders: readonly string[],
  cacheFolder: string | undefined,
  check: (loaded: LoadedDefinitions) => void,
): LoadedDefinitions {
  const { layers, problems } = readFolders(folders)
  const cached = cacheFolder !== undefined && problems.length === 0
  // What reports say is checked with the DocTypes they read.
  const key = cached ? definitionsKey([...layers, ...readReportFiles(folders).layers]) : undefined
  const cache = key === undefined ? undefined : definitionCache(cacheFolder!, key)
  const known = cache && (carried(key!) ?? cache.read())
  if (known) return { registry: createRegistry(known), positions: latePositions(layers) }
  const loaded = loadLayers(layers, problems)
  check(loaded)
  cache?.write(loaded.definitions)
  return loaded
}

function carried(key: string): readonly DocTypeDefinition[] | undefined {
  return IS_BINARY ? definitionCache(CARRIED_CACHE, key).read() : undefined
}
