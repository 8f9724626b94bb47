import type { ErrorCode } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { isRevisable } from '../../definition/model/event-kinds.ts'
import { isKeptByEngine } from '../../definition/model/kept.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import { withArticle } from '../shapes/label-text.ts'
import { listParameters } from '../shapes/list-parameters.ts'
import { createExample, listItemExample, updateExample } from '../shapes/openapi-examples.ts'
import { equalityParameters, hasSuffixedFilters } from '../shapes/openapi-filters.ts'
import {
  createText,
  deleteText,
  getText,
  LIFE_TEXTS,
  reviseText,
  updateText,
} from '../shapes/operation-texts.ts'
import type { SchemaNames } from '../shapes/schema-names.ts'
import { failures } from './openapi-errors.ts'

/** Path items by path. */
export type Paths = Readonly<Record<string, JsonSchema>>

export const ref = (kind: string, name: string): JsonSchema => ({
  $ref: `#/components/${kind}/${name}`,
})
export const parameter = (name: string): JsonSchema => ref('parameters', name)

const OF_LIST: readonly ErrorCode[] = ['VALIDATION_ERROR']
const OF_GET: readonly ErrorCode[] = ['NOT_FOUND']
const OF_CREATE: readonly ErrorCode[] = ['CONFLICT', 'VALIDATION_ERROR']
const OF_DELETE: readonly ErrorCode[] = ['NOT_FOUND', 'CONFLICT']
/** Errors of a write of one record, beside those of any request. */
export const OF_RECORD: readonly ErrorCode[] = [...OF_CREATE, 'NOT_FOUND']

/** Parameters of a change of one record, as references. */
export const CHANGE_PARAMETERS: readonly JsonSchema[] = ['IfMatch', 'IdempotencyKey', 'dryRun'].map(
  parameter,
)

/**
 * The paths of one resource: list and create, one record, and the life of submittable documents. Those of a
 * resource that only the engine writes are for reading. `isWhole`: with all names that a list may be sorted by and have.
 */
export function resourcePaths(
  definition: DocTypeDefinition,
  names: SchemaNames,
  tag: string,
  isWhole: boolean,
): Paths {
  const { slug, submittable } = definition
  const isWritten = !isKeptByEngine(definition)
  return {
    [`/v1/${slug}`]: {
      get: listOperation(definition, names, tag, isWhole),
      ...(isWritten ? { post: createOperation(definition, names, tag) } : {}),
    },
    [`/v1/${slug}/{id}`]: {
      parameters: [parameter('Id')],
      get: getOperation(definition, names, tag),
      ...(isWritten ? changeOperations(definition, names, tag) : {}),
    },
    ...(isWritten && submittable ? lifePaths(definition, names, tag) : {}),
    ...(isWritten && isRevisable(definition) ? revisePath(definition, names, tag) : {}),
  }
}

function createOperation(
  definition: DocTypeDefinition,
  names: SchemaNames,
  tag: string,
): JsonSchema {
  const name = names.record(definition)
  return {
    tags: [tag],
    operationId: `create${name}`,
    summary: `Create ${withArticle(definition.label)}`,
    description: createText(definition),
    parameters: [parameter('IdempotencyKey'), parameter('dryRun')],
    requestBody: bodyOf(`${name}Create`, createExample(definition)),
    responses: {
      '201': ref('responses', `${name}Record`),
      ...failures(OF_CREATE),
    },
  }
}

function getOperation(definition: DocTypeDefinition, names: SchemaNames, tag: string): JsonSchema {
  const name = names.record(definition)
  return {
    tags: [tag],
    operationId: `get${name}`,
    summary: `Get ${withArticle(definition.label)}`,
    description: getText(definition),
    parameters: ['titled', 'withCan', 'IfNoneMatch'].map(parameter),
    responses: {
      '200': ref('responses', `${name}Record`),
      '304': ref('responses', 'NotModified'),
      ...failures([...OF_GET, 'VALIDATION_ERROR']),
    },
  }
}

function changeOperations(
  definition: DocTypeDefinition,
  names: SchemaNames,
  tag: string,
): JsonSchema {
  const name = names.record(definition)
  return {
    patch: {
      tags: [tag],
      operationId: `update${name}`,
      summary: `Change ${withArticle(definition.label)}`,
      description: updateText(definition),
      parameters: CHANGE_PARAMETERS,
      requestBody: bodyOf(`${name}Update`, updateExample(definition)),
      responses: { '200': ref('responses', `${name}Record`), ...failures(OF_RECORD) },
    },
    delete: {
      tags: [tag],
      operationId: `delete${name}`,
      summary: `Delete ${withArticle(definition.label)}`,
      description: deleteText(definition),
      parameters: [parameter('IfMatch'), parameter('dryRun')],
      responses: {
        '204': ref('responses', 'NoContent'),
        ...failures(OF_DELETE),
      },
    },
  }
}

function lifePaths(definition: DocTypeDefinition, names: SchemaNames, tag: string): Paths {
  const name = names.record(definition)
  return Object.fromEntries(
    LIFE.map(([verb, status, summary]) => [
      `/v1/${definition.slug}/{id}/${verb}`,
      {
        parameters: [parameter('Id')],
        post: {
          tags: [tag],
          operationId: `${verb}${name}`,
          summary: summary(withArticle(definition.label)),
          description: LIFE_TEXTS[verb],
          parameters: CHANGE_PARAMETERS,
          responses: { [status]: ref('responses', `${name}Record`), ...failures(OF_RECORD) },
        },
      },
    ]),
  )
}

function revisePath(definition: DocTypeDefinition, names: SchemaNames, tag: string): Paths {
  const name = names.record(definition)
  return {
    [`/v1/${definition.slug}/{id}/update-submitted`]: {
      parameters: [parameter('Id')],
      post: {
        tags: [tag],
        operationId: `updateSubmitted${name}`,
        summary: `Change what may change of ${withArticle(definition.label)} after its submit`,
        description: reviseText(definition),
        parameters: CHANGE_PARAMETERS,
        requestBody: bodyOf(`${name}Update`),
        responses: { '200': ref('responses', `${name}Record`), ...failures(OF_RECORD) },
      },
    },
  }
}

type LifeVerb = readonly [
  verb: keyof typeof LIFE_TEXTS,
  status: string,
  summary: (one: string) => string,
]

const LIFE: readonly LifeVerb[] = [
  ['submit', '200', (one) => `Submit ${one}`],
  ['cancel', '200', (one) => `Cancel ${one}`],
  ['amend', '201', (one) => `Amend ${one}`],
]

function listOperation(
  definition: DocTypeDefinition,
  names: SchemaNames,
  tag: string,
  isWhole: boolean,
): JsonSchema {
  const { labelPlural, aliases, searchFields, submittable, tier } = definition
  const name = names.record(definition)
  const item = `${name}ListItem`
  const also = aliases.map((alias) => `\`/v1/${alias}\``).join(', ')
  const described = [
    definition.description,
    `Plan: ${tier}.`,
    isKeptByEngine(definition)
      ? 'Written by the workspace itself, so it can only be read.'
      : undefined,
    searchFields.length > 0 ? `\`q\` looks in ${searchFields.join(', ')}.` : undefined,
    also === '' ? undefined : `The same under ${also}.`,
    '`_count_by` and `_sum` answer groups instead: see `groupRecords`.',
  ]
  return {
    tags: [tag],
    operationId: `list${names.plural(definition)}`,
    summary: `List ${labelPlural}`,
    description: described.filter((part) => part !== undefined).join(' '),
    parameters: [
      ...listParameters(definition, isWhole),
      ...equalityParameters(definition),
      parameter(submittable ? 'SubmittableFilters' : 'StandardFilters'),
      ...(hasSuffixedFilters(definition) ? [suffixedParameter(`${name}Filters`)] : []),
    ],
    responses: {
      '200': {
        // The CSV is no content of its own: generated types would be a page or a text, whatever was asked for.
        description: labelPlural,
        content: {
          'application/json': {
            schema: pageOf(item),
            ...(isWhole ? { example: { data: [listItemExample(definition)] } } : {}),
          },
        },
      },
      ...failures(OF_LIST),
    },
  }
}

/** The filters with a suffix: each property is a query parameter of its own, as `form` and `explode` are what is usual. */
function suffixedParameter(schema: string): JsonSchema {
  return {
    name: 'suffixed',
    in: 'query',
    schema: ref('schemas', schema),
    example: {},
  }
}

/** A page of a list whose rows have this shape. The rows stand here alone: generated types cannot narrow an array. */
export function pageOf(item: string): JsonSchema {
  return { allOf: [ref('schemas', 'Page'), wholeList(item)] }
}

/** A page of one row, as the first and last of its list. */
export function pageExample(row: JsonSchema): JsonSchema {
  return { data: [row], meta: { total: 1, limit: 20, offset: 0 } }
}

/** The shape of a list that is answered whole. */
export function wholeList(item: string): JsonSchema {
  return {
    type: 'object',
    required: ['data'],
    properties: { data: { type: 'array', items: ref('schemas', item) } },
  }
}

/** A body of this shape; with an example where it stands nowhere else. */
export function bodyOf(shape: string, example?: JsonSchema): JsonSchema {
  const shown = example === undefined ? {} : { example }
  return {
    required: true,
    content: { 'application/json': { schema: ref('schemas', shape), ...shown } },
  }
}
