import { MAPS_OF_MAPS } from '../normalise/merge-parts.ts'
import type { Path } from '../yaml/parse.ts'
import { isMap, type YamlMap } from '../yaml/source.ts'

/** What an overlay cannot say of a definition. */
export interface OverlayProblem {
  readonly path: Path
  readonly message: string
}

/** Parts of a file that extends a definition, and what it could not say. */
export interface Overlay {
  readonly data: YamlMap
  readonly problems: readonly OverlayProblem[]
}

/** Parts of a field whose own parts merge by name too. */
const OF_ROWS = ['find', 'let']

/**
 * What a file has to say so that `base` becomes `wanted` once it is merged in (`mergeParts`): values and lists that differ, of
 * maps the keys that do, of fields their own keys. What is on in the base is turned off by `false`; a role that is left out may
 * nothing. What else only a base says, an overlay cannot take away: that is a problem.
 */
export function overlayOf(base: YamlMap, wanted: YamlMap): Overlay {
  const problems: OverlayProblem[] = []
  const data = differences(base, wanted, [], problems, (key, old, value) => {
    if (key === 'fields') return fieldsOver(old, value, ['fields'], problems)
    if (!MAPS_OF_MAPS.includes(key)) return differences(old, value, [key], problems)
    return differences(old, value, [key], problems, (part, before, after) =>
      differences(before, after, [key, part], problems),
    )
  })
  return { data, problems }
}

type Inner = (key: string, base: YamlMap, wanted: YamlMap) => YamlMap

/** The keys that differ; `inner` goes into maps whose parts merge by key. */
function differences(
  base: YamlMap,
  wanted: YamlMap,
  at: Path,
  problems: OverlayProblem[],
  inner?: Inner,
): YamlMap {
  const data: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(wanted)) {
    const old = base[key]
    if (isSame(old, value)) continue
    const isInner = inner !== undefined && isMap(old) && isMap(value)
    const part = isInner ? inner(key, old, value) : value
    if (!isInner || !isEmpty(part)) data[key] = part
  }
  for (const [key, old] of Object.entries(base)) {
    if (Object.hasOwn(wanted, key)) continue
    if (old === false) continue
    if (old === true) data[key] = false
    else if (at[0] === 'permissions' && Array.isArray(old)) data[key] = []
    else problems.push({ path: [...at, key], message: cannotGo(key) })
  }
  return data
}

function fieldsOver(base: YamlMap, wanted: YamlMap, at: Path, problems: OverlayProblem[]): YamlMap {
  const data: Record<string, unknown> = {}
  for (const name of Object.keys(base))
    if (!Object.hasOwn(wanted, name))
      problems.push({
        path: [...at, name],
        message: `"${name}" is a field of the definition that this one changes, where it stays; hide it instead`,
      })
  for (const [name, field] of Object.entries(wanted)) {
    const old = base[name]
    if (isSame(old, field)) continue
    if (!isMap(old) || !isMap(field)) data[name] = field
    else {
      const over = fieldOver(old, field, [...at, name], problems)
      if (!isEmpty(over)) data[name] = over
    }
  }
  const places = placesOf(base, wanted)
  for (const [name, place] of places) data[name] = { ...(data[name] as YamlMap), place }
  return data
}

function fieldOver(base: YamlMap, wanted: YamlMap, at: Path, problems: OverlayProblem[]): YamlMap {
  return differences(base, wanted, at, problems, (key, old, value) => {
    if (key === 'fields') return fieldsOver(old, value, [...at, key], problems)
    if (OF_ROWS.includes(key)) return differences(old, value, [...at, key], problems)
    return value
  })
}

/**
 * Fields that have to say their place so that the order is the wanted one: the fewest of them, those of the longest run that is in
 * order already say none. New fields come last by themselves.
 */
function placesOf(base: YamlMap, wanted: YamlMap): ReadonlyMap<string, string> {
  const names = Object.keys(wanted)
  const before = [
    ...Object.keys(base).filter((name) => Object.hasOwn(wanted, name)),
    ...names.filter((name) => !Object.hasOwn(base, name)),
  ]
  const stay = new Set(longestRun(names.map((name) => before.indexOf(name))).map((at) => names[at]))
  return new Map(
    names.flatMap((name, at) =>
      stay.has(name) ? [] : [[name, at === 0 ? 'first' : `after ${names[at - 1]}`]],
    ),
  )
}

/** Places of the longest run of numbers that grow. */
function longestRun(numbers: readonly number[]): number[] {
  const ends: number[] = []
  const before = numbers.map(() => -1)
  for (const [at, number] of numbers.entries()) {
    let length = ends.findIndex((end) => numbers[end]! >= number)
    if (length < 0) length = ends.length
    before[at] = length === 0 ? -1 : ends[length - 1]!
    ends[length] = at
  }
  const run: number[] = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) run.unshift(at)
  return run
}

function cannotGo(key: string): string {
  return `"${key}" stands in the definition that this one changes, and can be given another value there but not be taken away`
}

/** Whether two values say the same in the same order, which counts in fields and in what is tried one after the other. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function isEmpty(value: unknown): boolean {
  return isMap(value) && Object.keys(value).length === 0
}
