import { answer } from './openapi-answer.ts'
import { failures } from './openapi-errors.ts'
import type { Paths } from './openapi-paths.ts'

const TEXT = { type: 'string' } as const
const TEXTS = { type: 'array', items: TEXT } as const

/** The routes that tell who may do what. */
export function accessPaths(): Paths {
  return { ...matrixPath(), ...whyPath() }
}

function matrixPath(): Paths {
  return {
    '/v1/access': {
      get: {
        tags: ['Workspace'],
        operationId: 'readAccess',
        summary:
          'Which role may do what with which resource; for System Managers, who may do everything',
        description:
          'Rights by role, which roles see some records alone, and fields that are kept.',
        responses: {
          '200': answer({
            description: 'The resources, each with the rights of the roles',
            schema: {
              type: 'object',
              required: ['data'],
              properties: {
                data: {
                  type: 'array',
                  items: {
                    type: 'object',
                    required: ['slug', 'label', 'module', 'rights', 'limited', 'fields'],
                    properties: {
                      slug: TEXT,
                      label: TEXT,
                      module: TEXT,
                      rights: { type: 'object', additionalProperties: TEXTS },
                      limited: {
                        ...TEXTS,
                        description: 'Roles that see some of the records alone',
                      },
                      fields: {
                        type: 'array',
                        description: 'Fields that only some roles may read or set',
                        items: {
                          type: 'object',
                          required: ['name'],
                          properties: { name: TEXT, read: TEXTS, write: TEXTS },
                        },
                      },
                    },
                  },
                },
              },
            },
          }),
          ...failures([]),
        },
      },
    },
  }
}

function whyPath(): Paths {
  return {
    '/v1/access/why': {
      get: {
        tags: ['Workspace'],
        operationId: 'explainAccess',
        summary: 'What somebody may do with a record or a field, and by which rule',
        description: 'Each right with a yes or no, and the sentence of the rule that decides it.',
        parameters: [
          { name: 'person', in: 'query', required: true, description: 'Login', schema: TEXT },
          {
            name: 'record',
            in: 'query',
            required: true,
            description: 'Resource and identifier: `customers/CUST-00001`',
            schema: TEXT,
          },
          { name: 'field', in: 'query', description: 'A field, or table.column', schema: TEXT },
        ],
        responses: {
          '200': answer({
            description: 'The rights',
            schema: {
              type: 'object',
              required: ['person', 'rights'],
              properties: {
                person: TEXT,
                rights: {
                  type: 'array',
                  items: {
                    type: 'object',
                    required: ['right', 'may', 'why'],
                    properties: { right: TEXT, may: { type: 'boolean' }, why: TEXT },
                  },
                },
              },
            },
          }),
          ...failures(['NOT_FOUND', 'VALIDATION_ERROR']),
        },
      },
    },
  }
}
