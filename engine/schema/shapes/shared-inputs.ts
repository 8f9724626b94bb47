import type { JsonSchema } from '../../fields/field-type.ts'
import type { RefTo, Shapes } from './doctype-schemas.ts'

type Properties = Readonly<Record<string, JsonSchema>>

interface Body {
  readonly properties: Properties
  readonly required?: readonly string[]
  readonly additionalProperties: false
}

/** Fewest fields that are worth a shape of their own. */
const FEWEST = 4

/** The same shapes, each whole by itself, with tables that every generator has a type for. */
export function plainInputs(shapes: Shapes): Shapes {
  return Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [name, withPlainTables(shape)]),
  )
}

/**
 * The same shapes with what a create and an update (or the rows of both) say alike said once, as `…Fields`: that is a
 * tenth of a whole description. `OrderCreate` is then all of `OrderFields` and of what only a create takes or says.
 */
export function sharedInputs(shapes: Shapes, refTo: RefTo): Shapes {
  const shared: Record<string, JsonSchema> = { ...plainInputs(shapes) }
  for (const name of Object.keys(shapes)) {
    if (!name.endsWith('Create')) continue
    const bare = name.slice(0, -'Create'.length)
    const [create, update] = [shared[name], shared[`${bare}Update`]] as unknown as Body[]
    if (!create || !update) continue
    const alike = Object.entries(create.properties).filter(([field, schema]) =>
      saysTheSame(schema, update.properties[field]),
    )
    if (alike.length < FEWEST) continue
    // What a body has of its own must be something: tools do not like an object of no fields.
    const fewest = Math.min(...[create, update].map((body) => Object.keys(body.properties).length))
    if (fewest === alike.length) alike.pop()
    const fields = new Set(alike.map(([field]) => field))
    shared[`${bare}Fields`] = { type: 'object', properties: Object.fromEntries(alike) }
    shared[name] = composed(create, fields, refTo(`${bare}Fields`))
    shared[`${bare}Update`] = composed(update, fields, refTo(`${bare}Fields`))
  }
  return shared
}

/** A body whose tables are their rows alone: compiled languages have no type for rows or what changes of them. */
function withPlainTables(shape: JsonSchema): JsonSchema {
  const { properties } = shape as { readonly properties?: Properties }
  if (properties === undefined) return shape
  const plain = Object.entries(properties).map(([name, schema]) => {
    const [rows] = (schema.anyOf ?? []) as readonly JsonSchema[]
    if (rows?.type !== 'array') return [name, schema]
    return [name, { ...rows, description: 'All rows; {add, update, remove} changes some' }]
  })
  return { ...shape, properties: Object.fromEntries(plain) }
}

/** Whether a create says no more of a field than an update, but what it means. */
function saysTheSame({ description: _, ...create }: JsonSchema, update?: JsonSchema): boolean {
  return JSON.stringify(create) === JSON.stringify(update)
}

function composed(body: Body, shared: ReadonlySet<string>, $ref: string): JsonSchema {
  const { properties, required } = body
  const own = Object.entries(properties).filter(([field]) => !shared.has(field))
  const rest = {
    type: 'object',
    properties: Object.fromEntries(own),
    ...(required === undefined ? {} : { required }),
  }
  // Each part alone would refuse what the other has.
  return { allOf: [{ $ref }, rest], unevaluatedProperties: false }
}
