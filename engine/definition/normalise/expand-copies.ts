import type { Path } from '../yaml/parse.ts'
import { isMap, joinPath, type Origin, type Report, type YamlMap } from '../yaml/source.ts'
import { type PartSite, type Rewrite, rewriteAll, rewriteParts } from './rewrite.ts'

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

interface Site extends PartSite {
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
  const expanded = rewriteParts(data, root, {
    effects: (effects, site) => rewriteParts(effects, site, { submit: steps }),
    actions: (actions, site) =>
      rewriteAll(actions, site, (action, at) => rewriteParts(action, at, { steps })),
    fields: (fields, site) =>
      rewriteAll(fields, site, (field, at) => rewriteParts(field, at, { rows: expandRows })),
  })
  if (copied.size === 0) return { data, origins }
  const written = origins.map((origin) => inLists(origin, copied))
  return { data: expanded as YamlMap, origins: [...origins, ...written] }
}

type Expand = Rewrite<Site>

const steps: Expand = (list, site) => rewriteAll(list, site, expandStep)

function expandStep(step: unknown, outer: Site): unknown {
  if (!isMap(step)) return step
  const site = within(outer, step.each)
  const hasTables = step.post === undefined
  return rewriteParts(expandSet(step, site), site, {
    rows: (rows, at) =>
      rewriteAll(rows, at, (one, ofOne) =>
        hasTables && Array.isArray(one)
          ? rewriteAll(one, ofOne, expandRows)
          : expandRows(one, ofOne),
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
