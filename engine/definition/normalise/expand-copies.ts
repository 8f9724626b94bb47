import type { Path } from '../yaml/parse.ts'
import { isMap, joinPath, type Origin, type Report, type YamlMap } from '../yaml/source.ts'

/** Name in the expressions of a row that has no other by `as`. */
export const UNNAMED_ROW = 'row'

/** A DocType as written, with what `copy` says in `set`. */
export interface WithoutCopies {
  readonly data: YamlMap
  /** Origins in which what was copied stands in the lists. */
  readonly origins: readonly Origin[]
}

/** Entry of a `copy`: where it is written, and how much of its expression is not. */
interface Copied {
  readonly path: Path
  readonly unwritten: number
}

interface Site {
  readonly path: Path
  /** Name of what is gone through; undefined where names are those of the document. */
  readonly variable: string | undefined
  /** What has been copied, by the path in `set` that it stands at now. */
  readonly copied: Map<string, Copied>
  readonly report: Report
}

/**
 * Writes `copy: [item_code, input.reason]` of steps and rows out as what it is short for: `item_code: i.item_code`, with
 * the variable of the nearest `each`, and `reason: input.reason` in `set`. A name that both have is reported.
 */
export function expandCopies(
  data: YamlMap,
  origins: readonly Origin[],
  report: Report,
): WithoutCopies {
  const copied = new Map<string, Copied>()
  const root: Site = { path: [], variable: undefined, copied, report }
  const expanded = eachPart(data, root, {
    effects: (effects, site) => eachPart(effects, site, { submit: steps }),
    actions: (actions, site) =>
      values(actions, site, (action, at) => eachPart(action, at, { steps })),
    fields: (fields, site) =>
      values(fields, site, (field, at) => eachPart(field, at, { rows: expandRows })),
  })
  if (copied.size === 0) return { data, origins }
  const written = origins.map((origin) => inLists(origin, copied))
  return { data: expanded as YamlMap, origins: [...origins, ...written] }
}

type Expand = (value: unknown, site: Site) => unknown

const below = (site: Site, ...path: Path): Site => ({ ...site, path: [...site.path, ...path] })

/** A map in which these keys are expanded. */
function eachPart(value: unknown, site: Site, parts: Readonly<Record<string, Expand>>): unknown {
  if (!isMap(value)) return value
  const changed = Object.entries(parts).flatMap(([key, expand]) =>
    value[key] === undefined ? [] : [[key, expand(value[key], below(site, key))] as const],
  )
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) }
}

/** A list or map all of whose values are expanded. */
function values(value: unknown, site: Site, expand: Expand): unknown {
  if (Array.isArray(value)) return value.map((item, index) => expand(item, below(site, index)))
  if (!isMap(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, expand(item, below(site, key))]),
  )
}

const steps: Expand = (list, site) => values(list, site, expandStep)

function expandStep(step: unknown, outer: Site): unknown {
  if (!isMap(step)) return step
  const site = within(outer, step.each)
  const hasTables = step.post === undefined
  return eachPart(expandSet(step, site), site, {
    rows: (rows, at) =>
      values(rows, at, (one, ofOne) =>
        hasTables && Array.isArray(one) ? values(one, ofOne, expandRows) : expandRows(one, ofOne),
      ),
    rounding: (rounding, at) => (isMap(rounding) ? expandSet(rounding, at) : rounding),
  })
}

function expandRows(rows: unknown, outer: Site): unknown {
  if (!isMap(rows)) return rows
  return expandSet(rows, within(outer, rows.each, rows.as))
}

/** The site of what is done for each of something. */
function within(site: Site, each: unknown, as?: unknown): Site {
  if (each === undefined) return site
  return { ...site, variable: String((isMap(each) ? each.as : undefined) ?? as ?? UNNAMED_ROW) }
}

/** The part with the names of its `copy` in its `set`, before those that stand there. */
function expandSet(part: YamlMap, { path, variable, copied, report }: Site): YamlMap {
  if (!Array.isArray(part.copy)) return part
  const { copy, ...rest } = part
  const own: YamlMap = isMap(rest.set) ? rest.set : {}
  const set: Record<string, unknown> = {}
  for (const [index, entry] of (copy as string[]).entries()) {
    const name = entry.slice(entry.lastIndexOf('.') + 1)
    const here = [...path, 'copy', index]
    if (Object.hasOwn(own, name)) report(here, `${name} stands in set already; remove one of them`)
    else if (Object.hasOwn(set, name)) report(here, `${name} is there twice; remove one of them`)
    else {
      const isShort = name === entry && variable !== undefined
      set[name] = isShort ? `${variable}.${entry}` : entry
      const unwritten = isShort ? variable.length + 1 : 0
      copied.set(joinPath([...path, 'set', name]), { path: here, unwritten })
    }
  }
  return { ...rest, set: { ...set, ...own } }
}

/** An origin of what `copy` lists have in it. */
function inLists(origin: Origin, copied: ReadonlyMap<string, Copied>): Origin {
  return {
    ...origin,
    pathOf(path) {
      const entry = copied.get(joinPath(path))
      return entry && origin.pathOf(entry.path)
    },
    unwritten: (path) => copied.get(joinPath(path))?.unwritten ?? 0,
  }
}
