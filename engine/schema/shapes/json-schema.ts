import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Field } from '../../fields/field.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'

/** Kind of a write. `engine`: by actions and effects, which may also set what callers may not. */
export type InputMode = 'create' | 'update' | 'engine'

/** Whether the client must send the field on create: it is required, and nothing else can fill it. */
export function mustBeSent(field: Field): boolean {
  return (
    field.required &&
    !field.readOnly &&
    field.default === undefined &&
    field.defaultFrom === undefined &&
    field.lookup === undefined &&
    field.call === undefined &&
    field.fetch === undefined &&
    !field.child
  )
}

/** Whether a client may send the field in this kind of write (contract §3). */
export function isWritable(field: Field, mode: InputMode): boolean {
  if (mode === 'engine')
    return [field.formula, field.rollup, field.rows].every((source) => source === undefined)
  return !field.readOnly && !(mode === 'update' && field.createOnly)
}

/**
 * JSON Schema of the body of a create or an update. Unset is null, so every field takes null; what must be
 * sent is `required` on create only, and an update carries what changes.
 */
export function inputSchema(definition: DocTypeDefinition, mode: InputMode): JsonSchema {
  const schema = objectSchema(definition.fields, mode)
  if (mode !== 'create' || definition.naming.kind !== 'prompt') return schema
  const name = {
    type: 'string',
    minLength: 1,
    maxLength: 140,
    description: 'The name of the new record',
  }
  return {
    ...schema,
    properties: { name, ...(schema.properties as JsonSchema) },
    required: ['name', ...((schema.required as string[] | undefined) ?? [])],
  }
}

function objectSchema(fields: readonly Field[], mode: InputMode): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  for (const field of fields) {
    if (!isWritable(field, mode)) continue
    properties[field.name] = field.child
      ? rowsSchema(field, mode)
      : nullable(fieldType(field.type).schema(field))
    if (mode === 'create' && mustBeSent(field)) required.push(field.name)
    if (mode === 'create' && field.child && isFilledByCallers(field)) required.push(field.name)
  }
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) }
}

/** Whether a table needs rows which nothing else copies into it. */
function isFilledByCallers({ child, fetch, call, rows }: Field): boolean {
  if (child === undefined || child.minRows === 0) return false
  return [fetch, call, rows].every((source) => source === undefined)
}

/** Schema of a table in a body, which replaces the table; on update a row sent with its `row_id` is updated. */
function rowsSchema(field: Field, mode: InputMode): JsonSchema {
  const child = field.child!
  const row = objectSchema(child.fields, mode)
  const items =
    mode !== 'update'
      ? row
      : {
          ...row,
          properties: {
            row_id: { type: 'string', maxLength: 64 },
            ...(row.properties as JsonSchema),
          },
        }
  return {
    type: 'array',
    items,
    ...(isFilledByCallers(field) && mode !== 'engine' ? { minItems: child.minRows } : {}),
    maxItems: child.maxRows,
    ...(field.description === undefined ? {} : { description: field.description }),
  }
}

/** The same schema that also takes null, the unset value. */
export function nullable(schema: JsonSchema): JsonSchema {
  const {
    type,
    enum: values,
    ...rest
  } = schema as { type?: string | string[]; enum?: readonly unknown[] }
  const types = type === undefined ? undefined : [...(Array.isArray(type) ? type : [type]), 'null']
  return {
    ...rest,
    ...(types === undefined ? {} : { type: types }),
    ...(values === undefined ? {} : { enum: [...values, null] }),
  }
}

/** Schema of an object whose keys are not known beforehand; without saying so, tools take it for one that has none. */
export function anyObject(description?: string): JsonSchema {
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    additionalProperties: true,
  }
}
