import { placeFields } from '../../definition/normalise/place-fields.ts'
import type { Path } from '../../definition/yaml/parse.ts'
import { isMap, type YamlMap } from '../../definition/yaml/source.ts'

/** Maps of a report and of its queries whose entries have an order, and merge key by key. */
const PLACED: ReadonlySet<string> = new Set(['params', 'columns', 'summary'])
/** Names, or a map that says more of each: one of each kind makes a map. */
const NAMED: ReadonlySet<string> = new Set(['filter', 'totals'])

/**
 * Parts of a report merged, the later over those before: parameters, columns and numbers of the summary by name and key by
 * key, where the first has them; queries of `with` by name, each as the report itself; filters and totals by name; checks one
 * behind the other, or `replaced`. All else replaces.
 */
export function mergeReport(
  parts: readonly YamlMap[],
  checks: 'joined' | 'replaced' = 'joined',
): YamlMap {
  const words = [...new Set(parts.flatMap(Object.keys))]
  return Object.fromEntries(
    words.map((word) => {
      const said = parts.filter((part) => Object.hasOwn(part, word)).map((part) => part[word])
      return [word, mergeWord(word, said, checks)]
    }),
  )
}

function mergeWord(word: string, said: readonly unknown[], checks: 'joined' | 'replaced'): unknown {
  if (said.length === 1) return said[0]
  if (word === 'validate' && checks === 'joined' && said.every(Array.isArray)) return said.flat()
  if (NAMED.has(word)) return Object.assign({}, ...said.map(byName))
  if (!said.every(isMap)) return said.at(-1)
  if (PLACED.has(word)) {
    const before = said.slice(0, -1).map((fields) => ({ fields, after: undefined }))
    return placeFields({}, before, said.at(-1)!, 'own')
  }
  if (word !== 'with') return Object.assign({}, ...said)
  const queries = [...new Set(said.flatMap(Object.keys))]
  return Object.fromEntries(
    queries.map((query) => [query, mergeReport(said.map((one) => one[query]).filter(isMap))]),
  )
}

function byName(said: unknown): unknown {
  return Array.isArray(said) ? Object.fromEntries(said.map((name) => [name, name])) : said
}

/** The path of a check before this many others were put before it; undefined for one of those. */
export function checksBefore(path: Path, count: number): Path | undefined {
  const index = path[1]
  if (path[0] !== 'validate' || typeof index !== 'number') return path
  return index < count ? undefined : path.with(1, index - count)
}
