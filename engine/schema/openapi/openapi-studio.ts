import type { JsonSchema } from '../../fields/field-type.ts'
import { anyObject } from '../shapes/json-schema.ts'
import { answer } from './openapi-answer.ts'
import { failures } from './openapi-errors.ts'
import type { Paths } from './openapi-paths.ts'

const TEXT = { type: 'string' } as const
const TEXTS = { type: 'array', items: TEXT } as const
const HASH = {
  type: ['string', 'null'],
  description: 'Hash of its text; null where it is yet to be made',
} as const

const PLACE: JsonSchema = {
  type: 'object',
  required: ['file', 'line', 'column', 'message'],
  properties: { file: TEXT, line: { type: 'integer' }, column: { type: 'integer' }, message: TEXT },
}
const PLACES = { type: 'array', items: PLACE } as const

const KIND = {
  type: 'string',
  enum: ['own', 'overlay'],
  description: 'Whether the file is the definition, or changes one that stands elsewhere',
} as const

const SAVED: JsonSchema = {
  type: 'object',
  required: ['slug', 'file', 'hash', 'generation'],
  properties: {
    slug: { type: ['string', 'null'], description: 'The resource; null where it is none any more' },
    file: TEXT,
    hash: HASH,
    generation: { type: 'integer', description: 'Number of the definitions that hold now' },
  },
}

const WISH: Readonly<Record<string, JsonSchema>> = {
  doctype: { ...TEXT, maxLength: 60, description: 'Its name; one that is not there is made' },
  definition: {
    ...anyObject('The whole definition as it shall be, with the words of the YAML'),
  },
  text: { ...TEXT, description: 'Or the text of the file itself' },
  module_label: {
    ...TEXT,
    maxLength: 140,
    description: 'Heading of its module, where that is new',
  },
}

/** The routes of Studio. */
export function studioPaths(): Paths {
  return { ...readPaths(), ...onePath(), ...changePaths() }
}

function readPaths(): Paths {
  return {
    '/v1/studio': {
      get: {
        tags: ['Workspace'],
        operationId: 'readStudio',
        summary: 'What definitions may say; for System Managers and their admin keys',
        description:
          'The grammar as JSON Schema, field types, modules, plans and roles, and whether definitions can be saved.',
        responses: {
          '200': answer({
            description: 'The language of definitions in this workspace',
            schema: {
              type: 'object',
              required: ['writable', 'modules', 'tiers', 'types', 'roles', 'doctypes', 'schema'],
              properties: {
                writable: { description: '`true`, or a text: why nothing can be saved' },
                modules: { type: 'array', items: named('label') },
                tiers: TEXTS,
                types: { type: 'array', items: named('meaning') },
                roles: TEXTS,
                doctypes: TEXTS,
                schema: anyObject('JSON Schema of a DocType'),
                report_schema: anyObject('That of a report'),
              },
            },
          }),
          ...failures([]),
        },
      },
    },
  }
}

function onePath(): Paths {
  return {
    '/v1/studio/{slug}': {
      parameters: [
        {
          name: 'slug',
          in: 'path',
          required: true,
          description: 'Slug of the resource',
          schema: TEXT,
        },
      ],
      get: {
        tags: ['Workspace'],
        operationId: 'readDefinition',
        summary:
          'The definition of a resource with its files; for System Managers and their admin keys',
        description:
          '`base` is what an overlay changes. `hash` is sent back by a save, which is refused where the file is another by then.',
        responses: {
          '200': answer({
            description: 'The definition',
            schema: {
              type: 'object',
              required: [
                'slug',
                'doctype',
                'kind',
                'file',
                'hash',
                'definition',
                'base',
                'files',
                'undo',
                'rights',
              ],
              properties: {
                slug: TEXT,
                doctype: TEXT,
                kind: KIND,
                file: { ...TEXT, description: 'File of the workspace that a save writes' },
                hash: HASH,
                definition: { type: ['object', 'null'], additionalProperties: true },
                base: { type: ['object', 'null'], additionalProperties: true },
                files: { type: 'array', items: named('text', 'file') },
                undo: {
                  type: ['object', 'null'],
                  description: 'The save that an undo takes back',
                  required: ['at', 'by'],
                  properties: { at: { ...TEXT, format: 'date-time' }, by: TEXT },
                },
                rights: { type: 'object', additionalProperties: TEXTS },
              },
            },
          }),
          ...failures(['NOT_FOUND']),
        },
      },
    },
  }
}

function changePaths(): Paths {
  return {
    '/v1/studio/trial': {
      post: {
        tags: ['Workspace'],
        operationId: 'tryDefinition',
        summary:
          'Try a definition: its mistakes, the text, the migration and the rights it leads to',
        description: 'Changes nothing. Either `definition` or `text` is sent.',
        requestBody: bodyOf(WISH, ['doctype']),
        responses: {
          '200': answer({ description: 'What it comes to', schema: TRIAL }),
          ...failures(['VALIDATION_ERROR']),
        },
      },
    },
    '/v1/studio/save': {
      post: {
        tags: ['Workspace'],
        operationId: 'saveDefinition',
        summary: 'Save a definition: the file is written, the tables follow, and it holds at once',
        description:
          '412 where the file was changed since `hash` was read; 409 for what would be lost without `accept_losses`.',
        requestBody: bodyOf(
          {
            ...WISH,
            hash: HASH,
            accept_losses: { type: 'boolean', description: 'Whether what is lost was agreed to' },
          },
          ['doctype', 'hash'],
        ),
        responses: {
          '200': answer({ description: 'What holds now', schema: SAVED }),
          ...failures(['VALIDATION_ERROR', 'CONFLICT']),
        },
      },
    },
    '/v1/studio/undo': {
      post: {
        tags: ['Workspace'],
        operationId: 'undoDefinition',
        summary: 'Take the last save of a definition back',
        description: '409 where its file was changed by hand since, or nothing was saved.',
        requestBody: bodyOf({ doctype: WISH.doctype! }, ['doctype']),
        responses: {
          '200': answer({ description: 'What holds now', schema: SAVED }),
          ...failures(['VALIDATION_ERROR', 'CONFLICT']),
        },
      },
    },
  }
}

const TRIAL: JsonSchema = {
  type: 'object',
  required: ['ok', 'problems'],
  properties: {
    ok: { type: 'boolean', description: 'Whether a save would be taken' },
    kind: KIND,
    slug: { type: ['string', 'null'] },
    file: TEXT,
    text: {
      type: ['string', 'null'],
      description: 'Text of the file; null where it is taken away',
    },
    diff: {
      type: 'array',
      description: 'Lines that change, with those around them',
      items: {
        type: 'object',
        required: ['sign', 'text'],
        properties: { sign: { type: 'string', enum: [' ', '+', '-'] }, text: TEXT },
      },
    },
    unsayable: {
      type: 'array',
      description: 'What an overlay cannot say',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: TEXT, message: TEXT },
      },
    },
    problems: PLACES,
    warnings: PLACES,
    migration: anyObject('What `svc migrate --plan` says; null where there are mistakes'),
    losses: {
      ...TEXTS,
      description: 'What is lost or seen no more: a save asks for `accept_losses`',
    },
    rights: {
      type: 'array',
      description: 'Roles that may do something else than before',
      items: {
        type: 'object',
        required: ['role', 'before', 'after'],
        properties: { role: TEXT, before: TEXTS, after: TEXTS },
      },
    },
  },
}

function named(second: string, first = 'name'): JsonSchema {
  return {
    type: 'object',
    required: [first, second],
    properties: { [first]: TEXT, [second]: TEXT },
  }
}

function bodyOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema {
  return {
    required: true,
    content: { 'application/json': { schema: { type: 'object', required, properties } } },
  }
}
