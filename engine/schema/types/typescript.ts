import type { JSONSchema } from 'json-schema-to-typescript'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { isKeptByEngine } from '../../definition/model/kept.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import type { EventEntry } from '../catalogue/event-entry.ts'
import { workspaceEvents } from '../catalogue/workspace-events.ts'
import { callableActions, type NamedAction } from '../shapes/catalog-actions.ts'
import { inputShapes, recordSchema, rowSchema } from '../shapes/doctype-schemas.ts'
import { childrenOf, type SchemaNames, schemaNames } from '../shapes/schema-names.ts'
import { ENVELOPE_TYPE, webhookEventsSchema } from './typescript-events.ts'

const BANNER = `/* eslint-disable */
/**
 * Types of the resources of this workspace, made from its DocTypes. Do not edit: make them again.
 *
 * \`Resources\` leads from a slug to the shapes of its records:
 *   type Order = Resources['sales-orders']['record']
 * A record is what the API answers, \`Create\` and \`Update\` what it takes, \`actions\` the input of each action
 * by its name. Lists hold the fields asked for.
 * \`WebhookEvents\` leads from the name of an event to its data, \`WebhookEnvelope\` is what is delivered.
 */`

const refTo = (name: string): string => `#/definitions/${name}`

/**
 * TypeScript source with the types of all loaded DocTypes: an interface for each record, for what create,
 * update and actions take, for the rows of each table, `Resources` from slug (or alias) to these, and
 * `WebhookEvents` from event to data, those `ofWorkspace` that no DocType emits among them. The names are those of
 * the OpenAPI components.
 */
export async function typescriptTypes(
  registry: Registry,
  ofWorkspace: readonly EventEntry[] = workspaceEvents(registry.vocabulary),
): Promise<string> {
  // Loaded when it is used: it brings a whole formatter along.
  const { compile } = await import('json-schema-to-typescript')
  const options = {
    additionalProperties: false,
    format: false,
    // Types of the length 1 | 2 | … | 500 would be of no use.
    ignoreMinAndMaxItems: true,
  }
  const names = schemaNames(registry)
  const resources = await compile(combinedSchema(registry, names), 'Resources', {
    ...options,
    bannerComment: BANNER,
  })
  const events = await compile(webhookEventsSchema(registry, names, ofWorkspace), 'WebhookEvents', {
    ...options,
    bannerComment: '',
  })
  return [indented(resources), indented(events), ENVELOPE_TYPE].join('\n')
}

/** Indents source; the compiler's own formatter takes ten times as long as all the rest. */
function indented(source: string): string {
  let depth = 0
  const lines = source.split('\n').map((line) => {
    const text = line.replace(/: \(([^()]*)\)$/, ': $1')
    const isComment = /^\s*(?:\/\*|\*)/.test(text)
    if (!isComment && text.startsWith('}')) depth -= 1
    const shown = text === '' ? '' : '  '.repeat(depth) + text
    if (!isComment && text.endsWith('{')) depth += 1
    return shown
  })
  return lines.join('\n')
}

/** One schema that names every type once, so that shared rows are one interface. */
function combinedSchema(registry: Registry, names: SchemaNames): JSONSchema {
  const definitions: Record<string, JsonSchema> = {}
  const properties: Record<string, JsonSchema> = {}
  for (const child of childrenOf(registry)) {
    definitions[names.row(child)] = rowSchema(child, names, refTo)
  }
  for (const definition of registry.all) {
    definitions[names.record(definition)] = recordSchema(definition, names, refTo)
    Object.assign(definitions, inputShapes(definition, names, refTo))
    for (const slug of [definition.slug, ...definition.aliases]) {
      properties[slug] = shapesOf(definition, names)
    }
  }
  return {
    title: 'Resources',
    type: 'object',
    properties,
    required: Object.keys(properties),
    definitions: typed(definitions),
  } as JSONSchema
}

/** Shapes that a client reads and sends; of a resource that only the engine writes, those it reads. */
function shapesOf(definition: DocTypeDefinition, names: SchemaNames): JsonSchema {
  const name = names.record(definition)
  const actions = callableActions(definition)
  return closed({
    record: { $ref: refTo(name) },
    ...(isKeptByEngine(definition)
      ? {}
      : { create: { $ref: refTo(`${name}Create`) }, update: { $ref: refTo(`${name}Update`) } }),
    ...(actions.length === 0
      ? {}
      : {
          actions: closed(
            Object.fromEntries(actions.map((one) => inputOf(definition, one, names))),
          ),
        }),
  })
}

function inputOf(
  definition: DocTypeDefinition,
  [name, { input = [] }]: NamedAction,
  names: SchemaNames,
): readonly [string, JsonSchema] {
  if (input.length === 0) return [name, { tsType: 'Record<string, never>' }]
  return [name, { $ref: refTo(`${names.action(definition, name)}Input`) }]
}

function closed(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** Marks schemas that say nothing: they mean any JSON, null too; the compiler would make an object of them. */
function typed(definitions: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => [
      name,
      {
        ...schema,
        properties: Object.fromEntries(
          Object.entries(schema.properties as Record<string, JsonSchema>).map(([key, property]) => [
            key,
            isOpen(property) ? { ...property, tsType: 'unknown' } : property,
          ]),
        ),
      },
    ]),
  )
}

function isOpen(property: JsonSchema): boolean {
  return ['type', '$ref', 'enum', 'anyOf'].every((key) => property[key] === undefined)
}
