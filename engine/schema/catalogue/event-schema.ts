import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { ChildDefinition, Field } from '../../fields/field.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import { publicFields } from '../../fields/public-fields.ts'
import { ROW_ID, shownFields, shownProperties } from '../shapes/doctype-schemas.ts'

/** Parts that the schema of the data of an event is made of. */
export interface EventSchemaParts {
  readonly registry: Registry
  readonly definition: DocTypeDefinition
  /** Fields of the record from `recordPart`; the events of a resource share them. */
  readonly record: Readonly<Record<string, JsonSchema>>
  /** Keys beside the record → their expressions. */
  readonly own: Readonly<Record<string, string>>
  readonly required: readonly string[]
}

/** JSON Schema (2020-12) of the `data` of an event: the record as GET shows it, and the event's own keys. */
export function eventSchema(parts: EventSchemaParts): JsonSchema {
  const { registry, definition, record, own, required } = parts
  const beside = Object.entries(own).filter(([key]) => !Object.hasOwn(record, key))
  const properties = {
    ...record,
    ...Object.fromEntries(
      beside.map(([key, source]) => [key, ownSchema(namedField(registry, definition, source))]),
    ),
  }
  return { type: 'object', properties, required }
}

/**
 * The fields of a record with the bare form of their values. What they mean is said in `GET /v1/resources/{slug}`
 * and in OpenAPI; said again for each event, the list of events would be twice as long.
 */
export function recordPart(definition: DocTypeDefinition): Readonly<Record<string, JsonSchema>> {
  return bareProperties(shownFields(definition), definition)
}

/** The field an expression is, where it is no more than one: of the record, or of the one behind a link. */
export function namedField(
  registry: Registry,
  definition: DocTypeDefinition,
  source: string,
): Field | undefined {
  const [name = '', behind, ...more] = source.trim().split('.')
  const field = registry.fieldOf(definition, name)
  if (behind === undefined || more.length > 0) return behind === undefined ? field : undefined
  const target = field?.link === undefined ? undefined : registry.byDoctype(field.link)
  return target && registry.fieldOf(target, behind)
}

function bareProperties(
  fields: readonly Field[],
  owner?: DocTypeDefinition,
): Readonly<Record<string, JsonSchema>> {
  const shown = Object.entries(shownProperties(fields, bareRow, owner))
  return Object.fromEntries(shown.map(([name, schema]) => [name, bare(schema)]))
}

function bareRow(child: ChildDefinition): JsonSchema {
  const properties = { row_id: bare(ROW_ID), ...bareProperties(publicFields(child)) }
  return { type: 'object', properties, required: Object.keys(properties) }
}

function bare({ description, readOnly, examples, ...schema }: JsonSchema): JsonSchema {
  return schema
}

/** Schema of an event's own key: scalars for an expression; a field behind a link, which may be unset, has its form. */
function ownSchema(field: Field | undefined): JsonSchema {
  if (!field) return { type: ['string', 'number', 'boolean', 'null'] }
  return bareProperties([{ ...field, required: false }])[field.name]!
}
