import { definitionCache } from './cache.ts'
import { definitionsKey } from './cache-key.ts'
import { readFolders } from './folders.ts'
import { type LoadedDefinitions, latePositions, loadLayers } from './load.ts'
import { createRegistry } from './registry.ts'

/**
 * `loadDefinitions` and a check of what they say, or what the cache folder holds of both: the same files
 * and the same program give the same definitions. `check` throws when it finds a mistake; what passes is
 * kept. Without a cache folder every call loads and checks.
 */
export function loadCached(
  folders: readonly string[],
  cacheFolder: string | undefined,
  check: (loaded: LoadedDefinitions) => void,
): LoadedDefinitions {
  const { layers, problems } = readFolders(folders)
  const cached = cacheFolder !== undefined && problems.length === 0
  const key = cached ? definitionsKey(layers) : undefined
  const cache = key === undefined ? undefined : definitionCache(cacheFolder!, key)
  const known = cache?.read()
  if (known) return { registry: createRegistry(known), positions: latePositions(layers) }
  const loaded = loadLayers(layers, problems)
  check(loaded)
  cache?.write(loaded.definitions)
  return loaded
}
