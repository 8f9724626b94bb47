import { suggest } from '../../base/suggest.ts'
import { fieldTypes } from '../../fields/index.ts'
import { isMap, type Origin, type YamlMap } from '../yaml/source.ts'

const mapOf = (value: unknown): YamlMap => (isMap(value) ? value : {})

/** Parts that a block adds to a DocType. */
interface Parts {
  readonly data: YamlMap
  readonly origins: readonly Origin[]
}

/**
 * The parts of blocks with what each wants to be there (`missing`), as far as neither the DocType nor another block has
 * it: fields before those of the block, the status.
 */
export function withMissing<Taken extends Parts>(
  blocks: readonly Taken[],
  others: readonly YamlMap[],
): readonly Taken[] {
  if (blocks.every(({ data }) => data.missing === undefined)) return blocks
  const all = [...others, ...blocks.map(({ data }) => data)]
  const names = new Set(all.flatMap(({ fields }) => Object.keys(mapOf(fields))))
  let hasStatus = all.some(({ status }) => status !== undefined)
  return blocks.map((block) => {
    const { missing, ...data } = block.data
    if (!isMap(missing)) return block
    const wanted = Object.entries(mapOf(missing.fields)).filter(([name]) => !names.has(name))
    for (const [name] of wanted) names.add(name)
    const status = hasStatus ? undefined : missing.status
    hasStatus ||= status !== undefined
    return {
      ...block,
      data: {
        ...data,
        ...(status === undefined ? {} : { status }),
        fields: { ...Object.fromEntries(wanted), ...mapOf(data.fields) },
      },
      origins: [
        ...block.origins,
        ...block.origins.map((origin) => missingOrigin(origin, new Set(wanted.map(([n]) => n)))),
      ],
    }
  })
}

/** An origin of what stood below `missing` and stands in the DocType itself now. */
function missingOrigin(origin: Origin, names: ReadonlySet<string>): Origin {
  return {
    ...origin,
    pathOf(path) {
      const [word, name] = path
      const isMissing = word === 'status' || (word === 'fields' && names.has(String(name)))
      return isMissing ? origin.pathOf(['missing', ...path]) : undefined
    },
  }
}

/** A field that a parameter has to name: what is wrong with it, undefined where nothing is. */
export function wrongLink(name: unknown, link: string, fields: YamlMap): string | undefined {
  const field = fields[String(name)]
  if (!isMap(field)) {
    const near = suggest(String(name), Object.keys(fields))
    return `no field ${String(name)}${near === undefined ? '' : `; did you mean ${near}?`}`
  }
  const isLink = fieldTypes.get(String(field.type))?.optionsMean === 'doctype'
  if (isLink && field.options === link) return undefined
  const got = isLink ? `a link to ${String(field.options)}` : String(field.type)
  return `expected a field that links to ${link}, got ${String(name)} (${got})`
}
