import type { Dimension } from '../../definition/model/dimension.ts'
import { isMap, type YamlMap } from '../../definition/yaml/source.ts'

/** A report with each dimension of the books where it asks for, filters by or shows the field it stands beside. */
export function withDimensions(report: YamlMap, dimensions: readonly Dimension[]): YamlMap {
  return dimensions.reduce(withDimension, report)
}

function withDimension(report: YamlMap, dimension: Dimension): YamlMap {
  const { doctype, as, beside } = dimension
  const { params } = report
  const isAsked = isMap(params) && Object.hasOwn(params, beside) && !Object.hasOwn(params, as)
  if (!isAsked) return report
  const asked = behind(params, beside, [as, { type: 'link', options: doctype }])
  return { ...inQuery(report, dimension), params: asked }
}

/** A query, or a source of one, and the queries in it. */
function inQuery(query: YamlMap, dimension: Dimension): YamlMap {
  const { as, beside } = dimension
  const { filter, columns, set, sources, with: queries } = query
  const made: Record<string, unknown> = { ...query }
  if (filter !== undefined) made.filter = filtered(filter, dimension)
  if (isMap(columns) && isPlain(columns[beside]) && !Object.hasOwn(columns, as))
    made.columns = behind(columns, beside, [as, {}])
  if (isMap(set) && set[beside] === beside) made.set = { ...set, [as]: as }
  if (Array.isArray(sources))
    made.sources = sources.map((source) => (isMap(source) ? inQuery(source, dimension) : source))
  if (isMap(queries))
    made.with = Object.fromEntries(
      Object.entries(queries).map(([name, one]) => [
        name,
        isMap(one) ? inQuery(one, dimension) : one,
      ]),
    )
  return made
}

/** Whether a column is the field of its name and nothing else. */
function isPlain(column: unknown): boolean {
  return isMap(column) && Object.keys(column).every((key) => key === 'label')
}

function filtered(filter: unknown, { as, beside }: Dimension): unknown {
  if (Array.isArray(filter))
    return filter.flatMap((name) => (name === beside ? [name, as] : [name]))
  if (!isMap(filter)) return filter
  const all = Object.entries(filter).flatMap(([path, param]): [string, unknown][] => {
    const isOfIt = param === beside && path.split('.').at(-1) === beside
    const own = path.slice(0, path.length - beside.length) + as
    return isOfIt
      ? [
          [path, param],
          [own, as],
        ]
      : [[path, param]]
  })
  return Object.fromEntries(all)
}

function behind(map: YamlMap, before: string, entry: readonly [string, unknown]): YamlMap {
  return Object.fromEntries(
    Object.entries(map).flatMap((one) => (one[0] === before ? [one, entry] : [one])),
  )
}
