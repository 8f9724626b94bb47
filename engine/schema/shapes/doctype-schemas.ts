import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { isKeptByEngine } from '../../definition/model/kept.ts'
import { standardFields } from '../../definition/model/standard-fields.ts'
import { titleCase } from '../../definition/normalise/slug.ts'
import type { ChildDefinition, Field } from '../../fields/field.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import { publicFields } from '../../fields/public-fields.ts'
import { isAlwaysSet } from './always-set.ts'
import { callableActions } from './catalog-actions.ts'
import { type InputMode, inputSchema, mustBeSent, nullable } from './json-schema.ts'
import type { SchemaNames } from './schema-names.ts'

/** Reference of a document to one of its shapes: `SalesOrder` → `#/components/schemas/SalesOrder`. */
export type RefTo = (name: string) => string

/** Named shapes of one or more DocTypes. */
export type Shapes = Readonly<Record<string, JsonSchema>>

type Properties = Readonly<Record<string, JsonSchema>>

/** Standard fields before and behind the declared ones. */
const AT_THE_START = ['id', 'name']
const AT_THE_END = ['docstatus', 'amended_from', 'owner', 'created', 'modified', 'modified_by']

/** Limits on what may be written. Stored values may be older than they are, so records are without. */
const LIMITS = ['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'minItems', 'maxItems']

/**
 * The fields of a record in the order records show them: its identity, the declared ones, its history. Those
 * of a record that only the engine writes are all read-only.
 */
export function shownFields(definition: DocTypeDefinition): readonly Field[] {
  const standard = new Map(standardFields(definition).map((field) => [field.name, field]))
  const pick = (name: string): Field | readonly Field[] => standard.get(name) ?? []
  const declared = isKeptByEngine(definition)
    ? publicFields(definition).map((field) => ({ ...field, readOnly: true }))
    : publicFields(definition)
  return [...AT_THE_START.flatMap(pick), ...declared, ...AT_THE_END.flatMap(pick)]
}

/** Every field of a record with its wire form, tables by reference. */
export function recordProperties(
  definition: DocTypeDefinition,
  names: SchemaNames,
  refTo: RefTo,
): Properties {
  return shownProperties(shownFields(definition), byReference(names, refTo), definition)
}

/** Fields with their wire form; `rowsOf` is the schema of a table's row, `owner` the DocType whose fields they are. */
export function shownProperties(
  fields: readonly Field[],
  rowsOf: (child: ChildDefinition) => JsonSchema,
  owner?: DocTypeDefinition,
): Properties {
  return Object.fromEntries(fields.map((field) => [field.name, shownSchema(field, rowsOf, owner)]))
}

/** Schema of the key that every row of a table has beside its fields. */
export const ROW_ID: JsonSchema = {
  type: 'string',
  description: 'Names the row; send it back to keep the row',
}

function byReference(names: SchemaNames, refTo: RefTo): (child: ChildDefinition) => JsonSchema {
  return (child) => ({ $ref: refTo(names.row(child)) })
}

/** A whole record, as GET of one, writes and events carry it: every field is there, unset is null. */
export function recordSchema(
  definition: DocTypeDefinition,
  names: SchemaNames,
  refTo: RefTo,
): JsonSchema {
  const properties = recordProperties(definition, names, refTo)
  return {
    type: 'object',
    ...describedAs(definition.description),
    properties,
    required: Object.keys(properties),
  }
}

/** A row of a table in a record. */
export function rowSchema(child: ChildDefinition, names: SchemaNames, refTo: RefTo): JsonSchema {
  const properties: Properties = {
    row_id: ROW_ID,
    ...shownProperties(publicFields(child), byReference(names, refTo)),
  }
  return { type: 'object', properties, required: Object.keys(properties) }
}

function shownSchema(
  field: Field,
  rowsOf: (child: ChildDefinition) => JsonSchema,
  owner: DocTypeDefinition | undefined,
): JsonSchema {
  if (field.child)
    return { type: 'array', items: rowsOf(field.child), ...describedAs(meaningOf(field)) }
  const type = fieldType(field.type)
  if (type.secret) return { type: 'null', description: 'Kept encrypted and never shown' }
  const schema = Object.fromEntries(
    Object.entries(type.schema(field)).filter(([key]) => !LIMITS.includes(key)),
  )
  return {
    ...(isAlwaysSet(field, owner) ? schema : nullable(schema)),
    ...describedAs(meaningOf(field)),
    ...(field.readOnly ? { readOnly: true } : {}),
  }
}

/** What is told of a field: its description, else its label where the name does not say it already. */
function meaningOf({ name, label, description }: Field): string | undefined {
  return description ?? (label === titleCase(name) ? undefined : label)
}

/**
 * Named shapes of what callers send: the bodies of create and update, the rows in them, and the input of actions. The
 * same rules as the validator's (`inputSchema`), said in full: other fields are refused, literal defaults are named.
 * None for records that only the engine writes.
 */
export function inputShapes(
  definition: DocTypeDefinition,
  names: SchemaNames,
  refTo: RefTo,
): Shapes {
  const shapes: Record<string, JsonSchema> = {}
  if (isKeptByEngine(definition)) return shapes
  for (const mode of ['create', 'update'] as const) {
    const body = inputSchema(definition, mode)
    const properties = { ...(body.properties as Properties) }
    for (const field of publicFields(definition)) {
      const property = properties[field.name]
      if (!property) continue
      if (field.child) {
        const name = names.row(field.child) + SUFFIX[mode]
        shapes[name] = toldIn(mode, property.items as JsonSchema, publicFields(field.child))
        const rows = { ...property, items: { $ref: refTo(name) } }
        properties[field.name] = mode === 'update' ? rowsOrChanges(rows) : rows
      }
    }
    const name = names.record(definition) + SUFFIX[mode]
    shapes[name] = toldIn(mode, { ...body, properties }, publicFields(definition))
  }
  for (const [action, { input = [] }] of callableActions(definition)) {
    if (input.length === 0) continue
    const body = inputSchema({ ...definition, naming: { kind: 'uuid' }, fields: input }, 'create')
    shapes[`${names.action(definition, action)}Input`] = toldIn('create', body, input)
  }
  return shapes
}

/** Schema of a table in an update: all its rows, or what changes of them. */
function rowsOrChanges(rows: JsonSchema): JsonSchema {
  const { items, maxItems } = rows
  const some = { type: 'array', items, maxItems }
  const remove = { type: 'array', items: { type: 'string', maxLength: 64 }, maxItems }
  const changes = {
    type: 'object',
    description: 'Only these rows change; update names them by row_id, remove lists row_ids',
    properties: { add: some, update: some, remove },
    additionalProperties: false,
  }
  return { anyOf: [rows, changes] }
}

type CallerMode = Exclude<InputMode, 'engine'>

const SUFFIX: Readonly<Record<CallerMode, string>> = { create: 'Create', update: 'Update' }

/**
 * Schema of a body as far as one of its kind says it: a create says of every field its meaning and default; an update
 * need not say them again. What must be sent cannot be emptied either.
 */
function toldIn(mode: CallerMode, schema: JsonSchema, fields: readonly Field[]): JsonSchema {
  const properties = { ...(schema.properties as Properties) }
  for (const field of fields) {
    const { name, defaultValue } = field
    const property = properties[name]
    if (!property) continue
    const { description: _, ...told } = mustBeSent(field)
      ? neverEmpty(fieldType(field.type).schema(field))
      : property
    const stated = { ...(fieldType(field.type).limits?.(field) ?? {}), ...told }
    if (mode === 'update') properties[name] = stated
    else
      properties[name] = {
        ...stated,
        ...describedAs(meaningOf(field)),
        ...(defaultValue === undefined ? {} : { default: defaultValue }),
      }
  }
  return { ...schema, properties, additionalProperties: false }
}

/** A text that has to be sent is not an empty one. */
function neverEmpty(schema: JsonSchema): JsonSchema {
  const { type, format, enum: options } = schema
  return type === 'string' && format === undefined && options === undefined
    ? { minLength: 1, ...schema }
    : schema
}

function describedAs(description: string | undefined): { readonly description?: string } {
  return description === undefined ? {} : { description }
}
