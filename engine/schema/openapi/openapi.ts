import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { isKeptByEngine } from '../../definition/model/kept.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { groupOf } from '../../definition/model/vocabulary.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import { publicFields } from '../../fields/public-fields.ts'
import { toldEvents } from '../catalogue/event-catalogue.ts'
import { inputShapes, recordProperties, rowSchema } from '../shapes/doctype-schemas.ts'
import { knownNames } from '../shapes/known-names.ts'
import { recordExample } from '../shapes/openapi-examples.ts'
import { hasSuffixedFilters, suffixedFilters } from '../shapes/openapi-filters.ts'
import { childrenOf, type SchemaNames, schemaNames } from '../shapes/schema-names.ts'
import { plainInputs, sharedInputs } from '../shapes/shared-inputs.ts'
import { WEBHOOK_SCHEMAS } from '../shapes/webhook-shapes.ts'
import { actedResponses, actionPaths, actionSchemas } from './openapi-actions.ts'
import {
  HEADERS,
  PARAMETERS,
  RECORD_HEADERS,
  SECURITY_SCHEMES,
  sharedResponses,
  sharedSchemas,
} from './openapi-components.ts'
import { headerRefs } from './openapi-errors.ts'
import {
  DELIVERY,
  EVENT_SCHEMAS,
  eventCataloguePaths,
  WEBHOOK_TAG,
} from './openapi-event-catalogue.ts'
import { EXPLAIN_TAG, explainPaths } from './openapi-explain.ts'
import { filePaths } from './openapi-files.ts'
import { JOB_SCHEMAS, jobPaths } from './openapi-jobs.ts'
import { type Paths, resourcePaths } from './openapi-paths.ts'
import { peoplePaths, peopleSchemas } from './openapi-people.ts'
import { SCREEN_SCHEMAS } from './openapi-screens.ts'
import { SEARCH_SCHEMAS } from './openapi-search.ts'
import { SHARING_SCHEMAS, sharedResource, sharedSlugs, sharingPaths } from './openapi-sharing.ts'
import { standardRecord, standardReferences, standardSchemas } from './openapi-standard-fields.ts'
import { TIER_SCHEMAS } from './openapi-tiers.ts'
import { TOGETHER_SCHEMAS, TOGETHER_TAG, togetherPaths } from './openapi-together.ts'
import { WORKSPACE_TAGS, workspacePaths } from './openapi-workspace.ts'
import { WORKSPACE_SCHEMAS } from './openapi-workspace-shapes.ts'

export interface OpenApiOptions {
  /** Title of the document; the brand, where there is one. */
  readonly title?: string
  /** Address the API is reached at; `/` is the server the document comes from. */
  readonly serverUrl?: string
  /** The resources to describe; all by itself. Their names are those that they have among all. */
  readonly only?: readonly DocTypeDefinition[]
  /** Routes that are described elsewhere: the reports'. */
  readonly more?: {
    readonly paths: Paths
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly parameters: Readonly<Record<string, JsonSchema>>
    readonly tag: JsonSchema
  }
}

/** An OpenAPI 3.1 document as plain data. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly paths: Paths
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>
  readonly [part: string]: unknown
}

const ABOUT =
  'Every resource answers the same operations: lists with filters, search, sorting and two ways of paging; ' +
  'create, read, change and delete; submit, cancel and amend where documents are submitted; and the actions of its own. ' +
  'Writes can be repeated safely with `Idempotency-Key` and guarded against lost updates with `If-Match`. ' +
  'Errors have one shape, and every answer carries `X-Request-Id` and what is left of the limits: `X-RateLimit-Limit`, `X-RateLimit-Remaining`, `X-RateLimit-Reset`.'

/**
 * The OpenAPI 3.1 description of surface B for the loaded DocTypes (contract §3: shared components, at most
 * 3 MB). It holds structure and examples, no data, and takes some 100 ms to build at 140 resources:
 * build it when it is first asked for and keep it while `registry.checksum` stays the same.
 */
export function openApiDocument(whole: Registry, options: OpenApiOptions = {}): OpenApiDocument {
  const { title = 'Workspace API', serverUrl = '/', more } = options
  const names = schemaNames(whole)
  const isSlice = options.only !== undefined
  const registry = options.only ? { ...whole, all: options.only } : whole
  const resources: Paths = Object.assign(
    {},
    ...registry.all.flatMap((definition) => {
      const group = groupOf(registry.vocabulary, definition)
      return [
        resourcePaths(definition, names, group, isSlice),
        actionPaths(definition, names, group, registry),
      ]
    }),
  )
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '1.0.0',
      description: ABOUT,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }, { apiKey: [] }, { session: [] }],
    tags: [
      ...moduleTags(registry),
      ...(more ? [more.tag] : []),
      EXPLAIN_TAG,
      TOGETHER_TAG,
      ...WORKSPACE_TAGS,
      WEBHOOK_TAG,
    ],
    paths: {
      ...resources,
      ...filePaths(registry.serving('files'), resources),
      ...sharingPaths(),
      ...explainPaths(),
      ...jobPaths(),
      ...togetherPaths(),
      ...more?.paths,
      ...workspacePaths(),
      ...peoplePaths(registry.serving('users')),
      ...eventCataloguePaths(),
    },
    webhooks: DELIVERY,
    components: {
      schemas: {
        ...sharedSchemas(),
        ...WORKSPACE_SCHEMAS,
        ...SEARCH_SCHEMAS,
        ...SCREEN_SCHEMAS,
        ...JOB_SCHEMAS,
        ...TOGETHER_SCHEMAS,
        ...SHARING_SCHEMAS,
        ...peopleSchemas(registry.serving('users')),
        ...TIER_SCHEMAS,
        ...WEBHOOK_SCHEMAS,
        ...EVENT_SCHEMAS,
        ...standardSchemas(registry),
        ...actionSchemas(registry),
        ...docTypeSchemas(registry, names, isSlice),
        ...more?.schemas,
      },
      parameters: {
        ...PARAMETERS,
        ...knownNames(registry, toldEvents(registry)),
        SharedResource: sharedResource(sharedSlugs(registry.all)),
        ...more?.parameters,
      },
      headers: { ...HEADERS },
      responses: {
        ...sharedResponses(),
        ...recordResponses(registry, names, isSlice),
        ...actedResponses(registry, names),
      },
      securitySchemes: { ...SECURITY_SCHEMES },
    },
  }
}

const refTo = (name: string): string => `#/components/schemas/${name}`

function docTypeSchemas(
  registry: Registry,
  names: SchemaNames,
  isSlice: boolean,
): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {}
  for (const definition of registry.all) {
    const name = names.record(definition)
    const properties = {
      ...recordProperties(definition, names, refTo),
      ...standardReferences(definition, refTo),
    }
    schemas[name] = isSlice
      ? flatRecord(definition, properties)
      : composedRecord(definition, `${name}ListItem`, properties)
    schemas[`${name}ListItem`] = {
      type: 'object',
      properties: {
        ...properties,
        _titles: { $ref: refTo('Titles') },
        _can: { $ref: refTo('Can') },
      },
    }
    if (hasSuffixedFilters(definition))
      schemas[`${name}Filters`] = suffixedFilters(publicFields(definition))
    const inputs = inputShapes(definition, names, refTo)
    Object.assign(schemas, isSlice ? plainInputs(inputs) : sharedInputs(inputs, refTo))
  }
  for (const child of childrenOf(registry))
    schemas[names.row(child)] = rowSchema(child, names, refTo)
  return schemas
}

/** A record whose fields are said in full: Rust forgets of those that come by `allOf` that they may be null. */
function flatRecord(
  definition: DocTypeDefinition,
  properties: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  return {
    type: 'object',
    description: definition.description ?? definition.label,
    properties: {
      ...properties,
      _titles: { $ref: refTo('Titles') },
      _can: { $ref: refTo('Can') },
    },
    required: Object.keys(properties),
  }
}

/**
 * A record of the whole description, shorter: what an item of a list may have, all of it. Some generators read `required` beside `allOf`, others only
 * beside the fields themselves; so those that are never null are said again.
 */
function composedRecord(
  definition: DocTypeDefinition,
  item: string,
  properties: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const standard = standardReferences(definition, refTo)
  const set = Object.entries(properties).flatMap(([name, { description: _, ...schema }]) =>
    name in standard ||
    !['string', 'number', 'integer', 'boolean', 'array'].includes(`${schema.type}`)
      ? []
      : [[name, schema]],
  )
  const own = {
    type: 'object',
    properties: Object.fromEntries(set),
    required: set.map(([name]) => name),
  }
  return {
    description: definition.description ?? definition.label,
    allOf: [
      { $ref: refTo(item) },
      { $ref: refTo(standardRecord(definition)) },
      ...(set.length > 0 ? [own] : []),
    ],
    required: Object.keys(properties),
  }
}

/** A record as answers carry it; with an example and all headers in a slice: in the whole description those would be a twentieth of it. */
function recordResponses(
  { all }: Registry,
  names: SchemaNames,
  isSlice: boolean,
): Record<string, JsonSchema> {
  return Object.fromEntries(
    all.map((definition) => {
      const name = names.record(definition)
      return [
        `${name}Record`,
        {
          description: definition.label,
          headers: headerRefs(isSlice ? RECORD_HEADERS : ['ETag']),
          content: {
            'application/json': {
              schema: { $ref: refTo(name) },
              ...(isSlice ? { example: recordExample(definition) } : {}),
            },
          },
          links: lifeLinks(definition, name),
        },
      ]
    }),
  )
}

/** Where one may go from a record: what can be done with the one that was answered. */
function lifeLinks(definition: DocTypeDefinition, name: string): JsonSchema {
  const changes = isKeptByEngine(definition) ? [] : ['update', 'delete']
  const life = changes.length > 0 && definition.submittable ? ['submit', 'cancel', 'amend'] : []
  const id = { id: '$response.body#/id' }
  return Object.fromEntries(
    ['get', ...changes, ...life].map((verb) => [
      verb,
      { operationId: `${verb}${name}`, parameters: id },
    ]),
  )
}

/** One tag a group of modules, in the order of the alphabet, saying what is in it. */
function moduleTags({ all, vocabulary }: Registry): JsonSchema[] {
  const modules = new Map<string, string[]>()
  for (const definition of all) {
    const tag = groupOf(vocabulary, definition)
    const labels = modules.get(tag)
    if (labels) labels.push(definition.labelPlural)
    else modules.set(tag, [definition.labelPlural])
  }
  return [...modules]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, labels]) => ({ name, description: labels.join(', ') }))
}
