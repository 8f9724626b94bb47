import { isMap, type YamlMap } from '../yaml/source.ts'

/** Fields of a block, and the field they stand behind; without one they stand at the end of what there is. */
export interface PlacedFields {
  readonly fields: YamlMap
  readonly after: string | undefined
}

/** Whose order counts: a file's own, or, where it extends another, that of what there is. */
export type Order = 'own' | 'base'

/**
 * Fields by name with those of blocks and a file's own ones merged in. Blocks come first, or behind the field that
 * they name. A field that is there keeps its place, and its keys merge; in a file of its own what is written behind such a
 * field stands behind it, in one that extends another all new fields come last.
 */
export function placeFields(
  base: YamlMap,
  blocks: readonly PlacedFields[],
  own: YamlMap,
  order: Order,
): YamlMap {
  if (blocks.length === 0 && Object.keys(base).length === 0) return inTheirPlaces(own, own)
  const names = Object.keys(base)
  const fields: Record<string, unknown> = { ...base }
  const waiting = new Set(blocks)
  let next = names.length

  /** Adds what is new at a place; returns the place behind it. */
  const insert = (added: YamlMap, at: number): number => {
    const fresh = Object.keys(added).filter((name) => !Object.hasOwn(fields, name))
    for (const [name, field] of Object.entries(added))
      fields[name] = Object.hasOwn(fields, name) ? mergeField(fields[name], field) : field
    names.splice(at, 0, ...fresh)
    return at + fresh.length
  }
  const insertBehind = (name: string, at: number): number => {
    let end = at
    for (const block of blocks) {
      if (!waiting.has(block) || block.after !== name) continue
      waiting.delete(block)
      end = insert(block.fields, end)
      // Own fields that stood before the one it goes behind change it all the same.
      for (const field of Object.keys(block.fields))
        if (Object.hasOwn(own, field)) fields[field] = mergeField(fields[field], own[field])
    }
    return end
  }

  for (const block of blocks) {
    if (block.after !== undefined) continue
    waiting.delete(block)
    next = insert(block.fields, names.length)
  }
  for (const [name, field] of Object.entries(own)) {
    const isThere = Object.hasOwn(fields, name)
    const at = insert({ [name]: field }, next)
    next = insertBehind(name, isThere && order === 'own' ? names.indexOf(name) + 1 : at)
  }
  for (const { after } of waiting)
    if (after !== undefined) insertBehind(after, names.indexOf(after) + 1)
  return inTheirPlaces(Object.fromEntries(names.map((name) => [name, fields[name]])), own)
}

/** The field that a place is behind, `after customer`; undefined for the first place. */
export function placedAfter(place: string): string | undefined {
  return place === 'first' ? undefined : place.slice('after '.length)
}

/** Fields with those of a file that say their place there, one after the other; the word itself has done its work then. */
function inTheirPlaces(fields: YamlMap, own: YamlMap): YamlMap {
  const placed = Object.entries(own).flatMap(([name, field]): (readonly [string, string])[] =>
    isMap(field) && typeof field.place === 'string' ? [[name, field.place]] : [],
  )
  if (placed.length === 0) return fields
  const names = Object.keys(fields)
  for (const [name, place] of placed) {
    const behind = placedAfter(place)
    if (behind === name || (behind !== undefined && !Object.hasOwn(fields, behind))) continue
    names.splice(names.indexOf(name), 1)
    names.splice(behind === undefined ? 0 : names.indexOf(behind) + 1, 0, name)
  }
  return Object.fromEntries(names.map((name) => [name, withoutPlace(fields[name])]))
}

function withoutPlace(field: unknown): unknown {
  if (!isMap(field) || field.place === undefined) return field
  const { place: _, ...rest } = field
  return rest
}

/** A field with keys of another one over its own; the fields, finds and lets of a table's rows merge by name. */
export function mergeField(base: unknown, over: unknown): unknown {
  if (!isMap(base) || !isMap(over)) return over
  const rows =
    isMap(base.fields) && isMap(over.fields)
      ? { fields: placeFields(base.fields, [], over.fields, 'base') }
      : {}
  const finds = isMap(base.find) && isMap(over.find) ? { find: { ...base.find, ...over.find } } : {}
  const lets = isMap(base.let) && isMap(over.let) ? { let: { ...base.let, ...over.let } } : {}
  return { ...base, ...over, ...rows, ...finds, ...lets }
}
