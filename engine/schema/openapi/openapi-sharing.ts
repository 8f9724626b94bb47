import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import { answer } from './openapi-answer.ts'
import { READ_HEADERS } from './openapi-components.ts'
import { failures } from './openapi-errors.ts'
import { type Paths, parameter, ref } from './openapi-paths.ts'

const TEXT = { type: 'string' } as const
const MOMENT = { ...TEXT, format: 'date-time' } as const

const LINK_EXAMPLE = {
  id: 'pub_0mbx3k2qa7r1c9d8e7f6g5h4i',
  url: 'https://erp.example.com/p/4Qy1nS0pU2b7mV8cX9zR3wT6aE5fG1hJ0kL2dN4oB7s',
  expires: '2026-02-14T09:30:00.000Z',
}

const SENT_EXAMPLE = {
  mail: 'mail_0mbx3k2qa7r1c9d8e7f6g5h4i',
  record: { id: '0199a1b2-0000-7000-8000-000000000000', subject: 'Invoice SINV-2026-00001' },
  link: LINK_EXAMPLE,
}

const ADDRESSES = { type: 'array', maxItems: 20, items: { ...TEXT, format: 'email' } } as const

/** Shapes of what is shown to strangers. */
export const SHARING_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  PublicLink: {
    type: 'object',
    required: Object.keys(LINK_EXAMPLE),
    properties: {
      id: TEXT,
      url: { ...TEXT, format: 'uri', description: 'Told this once' },
      expires: MOMENT,
    },
  },
  PublicLinkCreate: {
    type: 'object',
    properties: { expires: { ...MOMENT, description: 'Within a year; 30 days unless sent' } },
    additionalProperties: false,
  },
  SendPaper: {
    type: 'object',
    required: ['to'],
    properties: {
      to: { ...ADDRESSES, minItems: 1 },
      cc: ADDRESSES,
      subject: { ...TEXT, maxLength: 500 },
      message: { ...TEXT, maxLength: 20_000 },
      template: { ...TEXT, description: 'Id of an e-mail template' },
      attach: { type: 'array', items: { ...TEXT, enum: ['pdf'] }, default: ['pdf'] },
      link: { type: 'boolean', default: true, description: 'Whether a link to the paper is in it' },
    },
    additionalProperties: false,
  },
  SentPaper: {
    type: 'object',
    required: Object.keys(SENT_EXAMPLE),
    properties: {
      mail: { ...TEXT, description: 'Id of the mail in the outbox' },
      record: {
        type: ['object', 'null'],
        description: 'The record that is kept of it',
        properties: { id: TEXT, subject: TEXT },
      },
      link: { oneOf: [ref('schemas', 'PublicLink'), { type: 'null' }] },
    },
  },
}

/** The resource in the routes of papers; `slugs` are those that have one. */
export function sharedResource(slugs: readonly string[]): JsonSchema {
  return { name: 'resource', in: 'path', required: true, schema: { ...TEXT, enum: slugs } }
}

/** Routes by which a paper is shown to strangers. */
export function sharingPaths(): Paths {
  return {
    '/v1/{resource}/{id}/links': {
      parameters: [parameter('SharedResource'), parameter('Id')],
      post: {
        tags: ['People'],
        operationId: 'createPublicLink',
        summary: 'Make a link by which anybody who has it sees the paper of a record',
        description:
          'It ends by itself, after 30 days unless `expires` says otherwise, or by `DELETE /v1/links/{id}`.',
        parameters: [parameter('IdempotencyKey')],
        requestBody: {
          content: {
            'application/json': {
              schema: ref('schemas', 'PublicLinkCreate'),
              example: { expires: LINK_EXAMPLE.expires },
            },
          },
        },
        responses: {
          '201': answer({
            description: 'The link',
            schema: ref('schemas', 'PublicLink'),
            example: LINK_EXAMPLE,
            headers: [...READ_HEADERS, 'Idempotent-Replayed'],
          }),
          ...failures(['CONFLICT', 'NOT_FOUND', 'VALIDATION_ERROR']),
        },
      },
    },
    '/v1/{resource}/{id}/send': {
      parameters: [parameter('SharedResource'), parameter('Id')],
      post: {
        tags: ['People'],
        operationId: 'sendPaper',
        summary: 'Mail the paper of a record',
        description:
          'The mail with the PDF goes to the outbox, and a line into the timeline. Templates are records of the workspace.',
        parameters: [parameter('IdempotencyKey')],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: ref('schemas', 'SendPaper'),
              example: { to: ['wanda@example.com'], message: 'Dear Wanda, …' },
            },
          },
        },
        responses: {
          '202': answer({
            description: 'The mail is in the outbox',
            schema: ref('schemas', 'SentPaper'),
            example: SENT_EXAMPLE,
            headers: [...READ_HEADERS, 'Idempotent-Replayed'],
          }),
          ...failures(['CONFLICT', 'NOT_FOUND', 'VALIDATION_ERROR']),
        },
      },
    },
    '/v1/links/{id}': {
      parameters: [parameter('Id')],
      delete: {
        tags: ['People'],
        operationId: 'deletePublicLink',
        summary: 'End a link of yours; for System Managers any',
        description: 'Who opens it from now on sees that it has ended.',
        responses: { '204': ref('responses', 'NoContent'), ...failures(['NOT_FOUND']) },
      },
    },
  }
}

/** Slugs of the resources that have papers. */
export function sharedSlugs(all: readonly DocTypeDefinition[]): readonly string[] {
  return all.filter(({ isChild }) => !isChild).map(({ slug }) => slug)
}
