type Json = Readonly<Record<string, unknown>>

/** A rule that a schema of the description has to keep, and the generator that breaks where it does not. */
type Rule = (schema: Json, at: string) => string | undefined

/**
 * What made generated clients wrong or impossible to compile, each found by compiling and calling one: no linter says
 * any of it.
 */
const RULES: readonly Rule[] = [
  // Go holds a number without a format in 32 bits: 37136953.83 becomes 37136952.
  ({ type, format }) =>
    hasType(type, 'number') && format === undefined ? 'number without format' : undefined,
  // Rust and Java make a type of no values.
  ({ enum: values }) =>
    Array.isArray(values) && values.every((value) => value === null) ? 'empty enum' : undefined,
  // Python and hey-api leave out what stands beside an `allOf` of one.
  ({ allOf, properties, required }) =>
    Array.isArray(allOf) && allOf.length === 1 && (properties ?? required) !== undefined
      ? 'allOf of one with siblings'
      : undefined,
  // Python writes `Trueand`.
  ({ const: only }) => (typeof only === 'boolean' ? 'boolean const' : undefined),
  // Go and Java take one type, and null.
  ({ type }) =>
    Array.isArray(type) && type.filter((one) => one !== 'null').length > 1
      ? `several types: ${type.join(', ')}`
      : undefined,
  // Java does not compile what may be a list or something else.
  ({ anyOf }) =>
    Array.isArray(anyOf) && anyOf.some(isList) ? 'list or something else' : undefined,
  // Most generators leave underscores at the start out.
  ({ properties }, at) => collision(Object.keys(properties ?? {}), at),
]

/** The one pair that may be: beside the moment of creation, what an action created (contract §7.9). */
const MAY_COLLIDE = '_created beside created'

/** Everything in a description that keeps generated clients from compiling or from being right, with its place. */
export function causesIn(document: {
  readonly paths: Json
  readonly components: Json
}): readonly string[] {
  const { schemas } = document.components as { readonly schemas: Readonly<Record<string, Json>> }
  return [
    ...brokenRules(document.paths, '#/paths'),
    ...brokenRules(document.components, '#/components'),
    ...nameClashes(schemas),
    ...parameterClashes(document.components),
    ...statusRanges(document.paths),
  ]
}

function brokenRules(value: unknown, at: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = Array.isArray(value)
    ? []
    : RULES.flatMap((rule) => {
        const problem = rule(value as Json, at)
        return problem === undefined ? [] : [`${problem} at ${at}`]
      })
  const inside = Object.entries(value).flatMap(([key, child]) =>
    key.startsWith('example') ? [] : brokenRules(child, `${at}/${key}`),
  )
  return [...own, ...inside]
}

/** Names of types that a generator makes twice: `HolidayListWeeklyOff` of a row and of a property's values. */
function nameClashes(schemas: Readonly<Record<string, Json>>): readonly string[] {
  const names = new Set(Object.keys(schemas).map((name) => name.toLowerCase()))
  const alike = names.size < Object.keys(schemas).length ? ['names that differ in case alone'] : []
  const made = Object.entries(schemas).flatMap(([name, { properties }]) =>
    Object.entries((properties ?? {}) as Readonly<Record<string, Json>>).flatMap(
      ([property, { enum: values, type }]) => {
        const isOwnType = values !== undefined || hasType(type, 'object')
        const wanted = (name + property.replaceAll('_', '')).toLowerCase()
        return isOwnType && names.has(wanted) ? [`${name}.${property} beside a schema`] : []
      },
    ),
  )
  return [...alike, ...made]
}

/** Go makes a type of a shared parameter too; only one that refers to the shape may have its name. */
function parameterClashes({ schemas, parameters }: Json): readonly string[] {
  const names = new Set(Object.keys(schemas as Json).map((name) => name.toLowerCase()))
  return Object.entries(parameters as Readonly<Record<string, Json>>)
    .filter(([name, { schema }]) => names.has(name.toLowerCase()) && !('$ref' in (schema as Json)))
    .map(([name]) => `parameter ${name} beside a schema`)
}

/** Orval writes `status: 4XX`, which is no number. */
function statusRanges(paths: Json): readonly string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item as Json).flatMap((operation) =>
      Object.keys((operation as Json).responses ?? {})
        .filter((status) => !/^(default|\d{3})$/.test(status))
        .map((status) => `status ${status} at ${path}`),
    ),
  )
}

function collision(names: readonly string[], at: string): string | undefined {
  const bare = new Map<string, string>()
  for (const name of names) {
    const plain = name.replaceAll('_', '')
    const other = bare.get(plain)
    if (other !== undefined && `${name} beside ${other}` !== MAY_COLLIDE)
      return at.endsWith('Filters') ? undefined : `${name} beside ${other}`
    bare.set(plain, name)
  }
  return undefined
}

function hasType(type: unknown, wanted: string): boolean {
  return [type].flat().includes(wanted)
}

function isList({ type }: Json): boolean {
  return type === 'array'
}
