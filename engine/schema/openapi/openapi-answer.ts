import type { JsonSchema } from '../../fields/field-type.ts'
import { READ_HEADERS } from './openapi-components.ts'
import { headerRefs } from './openapi-errors.ts'

/** A successful answer of a route that belongs to no resource. */
export interface Answer {
  readonly description: string
  readonly schema: JsonSchema
  readonly example?: unknown
  readonly headers?: readonly string[]
  readonly type?: string
}

/** The response object of such an answer. */
export function answer({
  description,
  schema,
  example,
  headers = READ_HEADERS,
  type = 'application/json',
}: Answer): JsonSchema {
  return {
    description,
    headers: headerRefs(headers),
    content: { [type]: { schema, ...(example === undefined ? {} : { example }) } },
  }
}
