import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import { failures } from './openapi-errors.ts'
import { type Paths, parameter, ref } from './openapi-paths.ts'

const TEXT = { type: 'string' } as const

/** Fields of the form by which a file comes. */
const UPLOAD: JsonSchema = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { ...TEXT, format: 'binary', description: 'The file; its name is that of the part' },
    resource: { ...TEXT, description: 'Slug of the resource of the record it is attached to' },
    id: { ...TEXT, description: 'Id of that record' },
    field: { ...TEXT, description: 'Field of that record, or table of it, that it is for' },
    is_private: { ...TEXT, enum: ['1', '0'], description: '`1` unless sent' },
    folder: {
      ...TEXT,
      description: 'Folder to keep it in; without record and folder it goes after 7 days',
    },
  },
  additionalProperties: false,
}

/** Routes of what files hold: the upload beside the record's own create, and the download; none where no DocType serves files. */
export function filePaths(definition: DocTypeDefinition | undefined, paths: Paths): Paths {
  const path = `/v1/${definition?.slug}`
  if (!paths[path]) return {}
  const { post, ...others } = paths[path] as { readonly post: JsonSchema }
  const { requestBody, ...create } = post
  const { content } = requestBody as { readonly content: object }
  return {
    [path]: {
      ...others,
      post: {
        ...create,
        summary: 'Upload a file, or make a record of one that is elsewhere',
        requestBody: {
          ...(requestBody as object),
          content: {
            ...content,
            'multipart/form-data': { schema: UPLOAD, encoding: { file: { contentType: '*/*' } } },
          },
        },
        responses: {
          ...(create.responses as object),
          ...failures(['CONFLICT', 'VALIDATION_ERROR']),
        },
      },
    },
    '/files/{id}/{name}': {
      parameters: [parameter('Id'), NAME],
      get: {
        tags: create.tags,
        operationId: 'downloadFile',
        summary: 'Read what is in a file, in parts where Range asks for one',
        description:
          'Under the rights of the record it belongs to. All but pictures and PDF are sent as attachments; `size=thumb` is a picture of 256 pixels.',
        parameters: [SIZE, parameter('IfNoneMatch')],
        responses: {
          '200': bytes('The whole file, or its small picture'),
          '206': bytes('The part that was asked for'),
          '304': ref('responses', 'NotModified'),
          ...failures(['NOT_FOUND', 'VALIDATION_ERROR']),
        },
      },
    },
  }
}

const NAME = {
  name: 'name',
  in: 'path',
  required: true,
  description: 'Name of the file, for people; the id decides',
  schema: TEXT,
}

const SIZE = {
  name: 'size',
  in: 'query',
  description: '`thumb`: a WebP of at most 256 × 256 dots; 404 for what is no picture',
  schema: { ...TEXT, enum: ['thumb'] },
}

function bytes(description: string): JsonSchema {
  return {
    description,
    content: { 'application/octet-stream': { schema: { ...TEXT, format: 'binary' } } },
  }
}
