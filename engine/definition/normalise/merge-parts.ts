import type { Path } from '../yaml/parse.ts'
import { isMap, type YamlMap } from '../yaml/source.ts'
import { type Order, type PlacedFields, placeFields } from './place-fields.ts'

/** Lists whose entries stand beside those of blocks; all other lists replace. */
const JOINED: readonly (readonly string[])[] = [
  ['declares'],
  ['unique'],
  ['validate'],
  ['invariants'],
  ['effects', 'submit'],
]

/** Words whose parts are maps by name themselves: these merge by name too. */
export const MAPS_OF_MAPS: readonly string[] = ['permissions']

/** Number of entries of each list that blocks and files add to, in their order. */
export type Lengths = readonly number[]

/** Lengths of the lists that are joined. */
export function lengthsOf(data: YamlMap): Lengths {
  return JOINED.map((path) => {
    const list = path.reduce<unknown>((at, key) => (isMap(at) ? at[key] : undefined), data)
    return Array.isArray(list) ? list.length : 0
  })
}

/** The path before lists had these entries put before theirs; undefined for one of those. */
export function beforeJoin(path: Path, lengths: Lengths): Path | undefined {
  const which = JOINED.findIndex((list) => list.every((key, at) => path[at] === key))
  const at = JOINED[which]?.length ?? 0
  const index = path[at]
  if (which < 0 || typeof index !== 'number') return path
  const moved = index - (lengths[which] ?? 0)
  return moved < 0 ? undefined : path.with(at, moved)
}

/** Parts of a block that are merged into a DocType. */
export interface AddedParts {
  readonly data: YamlMap
  readonly after: string | undefined
}

/**
 * A DocType with blocks and then a file's own parts merged in: fields as `placeFields` does it, other maps by key
 * (those of `permissions` each by itself); texts, numbers and lists replace. Lists of rules (validate, unique, invariants, effects.submit) of blocks and of the
 * file stand one behind the other, but those of a file that extends another (`order: base`) replace them too
 * (docs/doctypes/cookbook/blocks.md, extend.md).
 */
export function mergeParts(
  base: YamlMap,
  blocks: readonly AddedParts[],
  own: YamlMap,
  order: Order,
): YamlMap {
  const joined = blocks.reduce((data, block) => join(data, block.data), base)
  const merged = order === 'own' ? join(joined, own) : over(joined, own)
  const all = [...blocks.map(({ data }) => data), own]
  if (all.every(({ fields }) => !isMap(fields))) return merged
  const placed = blocks.flatMap(({ data, after }): PlacedFields[] =>
    isMap(data.fields) ? [{ fields: data.fields, after }] : [],
  )
  return { ...merged, fields: placeFields(mapAt(base), placed, mapAt(own), order) }
}

const mapAt = ({ fields }: YamlMap): YamlMap => (isMap(fields) ? fields : {})

function over(base: YamlMap, own: YamlMap): YamlMap {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(own)) {
    const old = base[key]
    if (!isMap(old) || !isMap(value)) merged[key] = value
    else merged[key] = MAPS_OF_MAPS.includes(key) ? over(old, value) : { ...old, ...value }
  }
  return merged
}

function join(base: YamlMap, own: YamlMap): YamlMap {
  const merged: Record<string, unknown> = { ...over(base, own) }
  for (const [word, part] of JOINED) {
    if (word === undefined) continue
    const old = base[word]
    const added = own[word]
    if (part === undefined) {
      if (Array.isArray(old) && Array.isArray(added)) merged[word] = [...old, ...added]
    } else if (isMap(old) && isMap(added)) {
      const [before, behind] = [old[part], added[part]]
      if (Array.isArray(before) && Array.isArray(behind))
        merged[word] = { ...old, ...added, [part]: [...before, ...behind] }
    }
  }
  return merged
}
