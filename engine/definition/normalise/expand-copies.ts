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

/** List of names that `let` has, and where it stands. */
interface NamedList {
  readonly names: readonly string[]
  readonly path: Path
}

type Lists = ReadonlyMap<string, NamedList>

/** Entry of a `copy`: where it is written, and how much of its expression is not. */
interface Copied {
  readonly path: Path
  readonly unwritten: number
}

interface Site extends PartSite {
  /** Name of what is gone through; undefined where names are those of the document. */
  readonly variable: string | undefined
  /** Lists by name: those of the document, and over them those of the table that is gone through. */
  readonly lists: Lists
  readonly tables: ReadonlyMap<string, Lists>
  /** What has been copied, by the path in `set` that it stands at now. */
  readonly copied: Map<string, Copied>
  readonly report: Report
}

/**
 * Writes `copy: [item_code, input.reason]` of steps and rows out as what it is short for: `item_code: i.item_code`, with
 * the variable of the nearest `each`, and `reason: input.reason` in `set`. A list of `let`, of the table that is gone
 * through or of the document, stands for its names. A name that is there twice is reported.
 */
export function expandCopies(
  data: YamlMap,
  origins: readonly Origin[],
  report: Report,
): WithoutCopies {
  const copied = new Map<string, Copied>()
  const root: Site = {
    path: [],
    variable: undefined,
    lists: listsOf(data.let, ['let']),
    tables: listsOfTables(data.fields),
    copied,
    report,
  }
  const expanded = rewriteParts(data, root, {
    effects: (effects, site) => rewriteParts(effects, site, { submit: steps }),
    actions: (actions, site) =>
      rewriteAll(actions, site, (action, at) => rewriteParts(action, at, { steps })),
    fields: (fields, site) =>
      rewriteAll(fields, site, (field, at) => rewriteParts(field, at, { rows: expandSources })),
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

/** The source of the rows of a table, or a list of them. */
const expandSources: Expand = (rows, site) =>
  Array.isArray(rows) ? rewriteAll(rows, site, expandRows) : expandRows(rows, site)

function expandRows(rows: unknown, outer: Site): unknown {
  if (!isMap(rows)) return rows
  return expandSet(rows, within(outer, rows.each, rows.as))
}

/** The site of what is done for each of something. */
function within(site: Site, each: unknown, as?: unknown): Site {
  if (each === undefined) return site
  const { table, as: named }: YamlMap = isMap(each) ? each : { table: each }
  const lists = new Map([...site.lists, ...(site.tables.get(String(table)) ?? [])])
  return { ...site, variable: String(named ?? as ?? UNNAMED_ROW), lists }
}

/** The lists among lets. */
function listsOf(lets: unknown, path: Path): Lists {
  if (!isMap(lets)) return new Map()
  return new Map(
    Object.entries(lets).flatMap(([name, names]) =>
      Array.isArray(names) ? [[name, { names, path: [...path, name] }] as const] : [],
    ),
  )
}

function listsOfTables(fields: unknown): ReadonlyMap<string, Lists> {
  if (!isMap(fields)) return new Map()
  return new Map(
    Object.entries(fields).flatMap(([name, field]) =>
      isMap(field) && isMap(field.let)
        ? [[name, listsOf(field.let, ['fields', name, 'let'])] as const]
        : [],
    ),
  )
}

/** One name of a `copy`: where it is written, and which entry says it. */
interface Entry {
  readonly entry: string
  readonly here: Path
  readonly said: Path
}

/** The names of a `copy`, those of its lists in their places. */
function entriesOf(copy: readonly string[], { path, lists }: Site): Entry[] {
  return copy.flatMap((entry, index): Entry[] => {
    const said = [...path, 'copy', index]
    const list = lists.get(entry)
    if (!list) return [{ entry, here: said, said }]
    return list.names.map((name, at) => ({ entry: name, here: [...list.path, at], said }))
  })
}

/** The part with the names of its `copy` in its `set`, before those that stand there. */
function expandSet(part: YamlMap, site: Site): YamlMap {
  if (!Array.isArray(part.copy)) return part
  const { path, variable, copied, report } = site
  const { copy, ...rest } = part
  const own: YamlMap = isMap(rest.set) ? rest.set : {}
  const set: Record<string, unknown> = {}
  for (const { entry, here, said } of entriesOf(copy as string[], site)) {
    const name = entry.slice(entry.lastIndexOf('.') + 1)
    if (Object.hasOwn(own, name)) report(said, `${name} stands in set already; remove one of them`)
    else if (Object.hasOwn(set, name)) report(said, `${name} is there twice; remove one of them`)
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
