import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import type { Plans } from './plans.ts'

const SCHEMA = {
  type: 'object',
  required: ['plans', 'signed_in_user_per_minute', 'contact_messages_per_hour'],
  properties: {
    signed_in_user_per_minute: { type: 'integer', minimum: 1 },
    contact_messages_per_hour: { type: 'integer', minimum: 1 },
    features: { type: 'object', additionalProperties: { type: 'string' } },
    plans: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        required: [
          'slug',
          'label',
          'price_per_user_month',
          'currency',
          'seats',
          'requests_per_minute',
          'features',
          'includes',
        ],
        properties: {
          slug: { type: 'string', pattern: '^[a-z][a-z0-9-]*$' },
          label: { type: 'string' },
          price_per_user_month: { type: 'number', minimum: 0 },
          currency: { type: 'string' },
          seats: { type: ['integer', 'null'], minimum: 1 },
          requests_per_minute: { type: 'integer', minimum: 1 },
          features: { type: 'array', items: { type: 'string' } },
          includes: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
} as const

/**
 * The plans of the last of these folders that has a `plans.yaml`. Throws Error naming the file and what is
 * wrong in it, or that none has one.
 */
export function loadPlans(folders: readonly string[]): Plans {
  const file = folders
    .map((folder) => join(folder, 'plans.yaml'))
    .findLast((path) => existsSync(path))
  if (file === undefined) throw new Error(`expected plans.yaml in one of ${folders.join(', ')}`)
  const data: unknown = parse(readFileSync(file, 'utf8'), { maxAliasCount: 0 })
  const ajv = new Ajv({ allErrors: true, strict: false })
  if (!ajv.validate(SCHEMA, data))
    throw new Error(`${file}: ${ajv.errorsText(ajv.errors, { dataVar: 'plans.yaml' })}`)
  return Object.freeze(data as Plans)
}
