import { fieldTypes } from '../../fields/index.ts'
import type { Dimension } from '../model/dimension.ts'
import { type PartSite, type Rewrite, rewriteAll, rewriteParts } from '../normalise/rewrite.ts'
import { isMap, type Origin, type RawDocType, type YamlMap } from '../yaml/source.ts'

/** Words of a field that the one of a dimension has from the field it stands beside. */
const KEPT = ['type', 'internal', 'hidden', 'filterable', 'allow_on_submit', 'no_copy'] as const

/** A dimension, and the DocType that declares it. */
interface Declared extends Dimension {
  readonly raw: RawDocType
}

/** The dimension that a DocType is by what a file of it says; undefined where it says nothing of it. */
export function dimensionOf({
  doctype,
  data,
}: Pick<RawDocType, 'doctype' | 'data'>): Dimension | undefined {
  const { as, beside } = isMap(data.dimension) ? data.dimension : {}
  return typeof as === 'string' && typeof beside === 'string' ? { doctype, as, beside } : undefined
}

type Raws = ReadonlyMap<string, RawDocType>

/**
 * DocTypes with the field of each dimension wherever the one is that it stands beside: in records and in rows of tables, and
 * in what steps give it, group by and a ledger copies. The same where no DocType is a dimension.
 */
export function carryDimensions(raws: Raws): Raws {
  const declared = [...raws.values()].flatMap((raw): Declared[] => {
    const dimension = dimensionOf(raw)
    return dimension ? [{ ...dimension, raw }] : []
  })
  if (declared.length === 0) return raws
  return new Map([...raws].map(([doctype, raw]) => [doctype, declared.reduce(carried, raw)]))
}

function carried(raw: RawDocType, dimension: Declared): RawDocType {
  const data = withDimension(raw.data, dimension)
  if (data === raw.data) return raw
  const { files } = dimension.raw
  const origins = files.map(
    (file): Origin => ({
      file,
      pathOf: (path) => (path.includes(dimension.as) ? ['dimension'] : undefined),
    }),
  )
  return {
    ...raw,
    data,
    files: [...new Set([...raw.files, ...files])],
    origins: [...origins, ...raw.origins],
  }
}

function withDimension(data: YamlMap, dimension: Dimension): YamlMap {
  return rewriteParts(
    data,
    { path: [], dimension },
    {
      fields: (fields) => (isMap(fields) ? besideFields(fields, dimension, undefined) : fields),
      effects: inSteps,
      actions: (actions, at) => rewriteAll(actions, at, inAction),
      ledger: (ledger, at) => rewriteParts(ledger, at, { copy: (copy) => named(copy, dimension) }),
    },
  ) as YamlMap
}

/** An action, whose callers give the dimension where they give the field it stands beside. */
const inAction: Rewrite<StepSite> = (action, site) =>
  rewriteParts(action, site, {
    input: (input) => (isMap(input) ? besideFields(input, site.dimension, undefined) : input),
    steps: inSteps,
  })

/** Fields with that of the dimension behind the one it stands beside; `parent` has those of the record, in rows. */
function besideFields(fields: YamlMap, dimension: Dimension, parent: YamlMap | undefined): YamlMap {
  const { as, beside } = dimension
  let isChanged = false
  const all = Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
    const made = inTable(field, fields, dimension)
    isChanged ||= made !== field
    if (name !== beside || !isLink(field) || Object.hasOwn(fields, as)) return [[name, made]]
    isChanged = true
    return [
      [name, made],
      [as, besideField(field, dimension, parent)],
    ]
  })
  return isChanged ? Object.fromEntries(all) : fields
}

function isLink(field: unknown): field is YamlMap {
  return isMap(field) && fieldTypes.get(String(field.type))?.optionsMean === 'doctype'
}

/** A table with the dimension in its rows, and in what these are made from. */
function inTable(field: unknown, fields: YamlMap, dimension: Dimension): unknown {
  return rewriteParts(
    field,
    { path: [], dimension },
    {
      fields: (rows) => (isMap(rows) ? besideFields(rows, dimension, fields) : rows),
      rows: inSteps,
    },
  )
}

/** The field of a dimension: proposed from where the one beside it is proposed from, in rows else from the record. */
function besideField(field: YamlMap, dimension: Dimension, parent: YamlMap | undefined): YamlMap {
  const { doctype, as, beside } = dimension
  const kept = KEPT.filter((word) => field[word] !== undefined).map((word) => [word, field[word]])
  const { from, ...how } = isMap(field.fetch) ? field.fetch : { from: field.fetch }
  const fetched = renamed(from, dimension)
  const ofParent = parent && isLink(parent[beside]) ? `parent.${as}` : undefined
  const given = renamed(field.default, dimension) ?? (fetched === undefined ? ofParent : undefined)
  return {
    ...Object.fromEntries(kept),
    options: doctype,
    ...(fetched === undefined ? {} : { fetch: { from: fetched, ...how } }),
    ...(given === undefined ? {} : { default: given }),
  }
}

interface StepSite extends PartSite {
  readonly dimension: Dimension
}

/** Steps, and all in them, with the dimension where they give or group by the field it stands beside. */
const inSteps: Rewrite<StepSite> = (part, site) => {
  const word = site.path.at(-1)
  if (word === 'set' || (word === 'group' && isMap(part))) return given(part, site.dimension)
  return word === 'group' ? named(part, site.dimension) : rewriteAll(part, site, inSteps)
}

/** Values by field, the dimension's beside the one of the other field. */
function given(values: unknown, dimension: Dimension): unknown {
  const { as, beside } = dimension
  if (!isMap(values) || Object.hasOwn(values, as)) return values
  const value = renamed(values[beside], dimension)
  return value === undefined ? values : { ...values, [as]: value }
}

/** Names with the dimension's behind the one it stands beside. */
function named(names: unknown, { as, beside }: Dimension): unknown {
  if (!Array.isArray(names) || !names.includes(beside) || names.includes(as)) return names
  return names.flatMap((name) => (name === beside ? [name, as] : [name]))
}

/**
 * An expression of the dimension, where that of the other field only says where it is taken from: `company.cost_center` is
 * `company.branch`. undefined for any other.
 */
function renamed(expression: unknown, { as, beside }: Dimension): string | undefined {
  if (typeof expression !== 'string') return undefined
  const [, inner = expression] = /^coalesce\((.*)\)$/.exec(expression) ?? []
  const paths = inner.split(',').map((path) => path.trim())
  const isTaken = (path: string): boolean =>
    /^[a-z_][\w.]*$/.test(path) && path.split('.').at(-1) === beside
  if (!paths.every(isTaken)) return undefined
  const own = paths.map((path) => path.slice(0, path.length - beside.length) + as)
  return inner === expression ? own[0] : `coalesce(${own.join(', ')})`
}
