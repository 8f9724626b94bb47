import type { ArgumentSchema, ArgumentsSchema } from './tool.ts'

/** The resource a tool works on. */
export const RESOURCE: ArgumentSchema = {
  type: 'string',
  minLength: 1,
  description: 'Slug of the resource, e.g. "customers" or "sales-orders"; list_resources has all.',
}

/** The record a tool works on. */
export const ID: ArgumentSchema = {
  type: 'string',
  minLength: 1,
  description: 'The id of the record, exactly as an answer gave it, e.g. "CUST-00001".',
}

/** The values a filter compares with. */
export const SCALAR: readonly ArgumentSchema[] = [
  { type: 'string' },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'null' },
]

const LIMIT: ArgumentSchema = {
  type: 'integer',
  description: 'Records of one page, 1 to 100; 20 without it.',
}

const OFFSET: ArgumentSchema = {
  type: 'integer',
  description:
    'Records to skip; the answer then counts all in meta.total. Not together with cursor.',
}

const CURSOR: ArgumentSchema = {
  type: 'string',
  description:
    'The next_cursor of the page before, to go on after it with all other arguments unchanged. "" starts a walk without a count, which stays fast however long the list is.',
}

/** Arguments that choose a page of a list. */
export const PAGING = { limit: LIMIT, offset: OFFSET, cursor: CURSOR }

/** A text that may be anything. */
export const text = (description: string): ArgumentSchema => ({ type: 'string', description })

/** The arguments of a tool, and which of them have to be there. */
export function argumentsOf(
  properties: Readonly<Record<string, ArgumentSchema>>,
  ...required: readonly string[]
): ArgumentsSchema {
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
}
