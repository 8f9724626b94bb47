import { type ApiRequest, refuse } from './request.ts'
import type { FilterValue, ToolArguments } from './tool.ts'

type Query = NonNullable<ApiRequest['query']>

/** `/v1/…` that are no resources of records (contract §1). */
export const SYSTEM_ROUTES: ReadonlySet<string> = new Set([
  'resources',
  'reports',
  'access',
  'addons',
  'backups',
  'studio',
  'proof',
  'tiers',
  'events',
  'webhooks',
  'api-keys',
  'openapi.json',
  'me',
  'security',
  'boot',
  'search',
  'stream',
  'jobs',
  'imports',
  'notifications',
  'links',
  'list-views',
])

/**
 * The resource of a tool that changes records. Keys and webhooks are reached by the same paths, but who
 * allows an agent to change records has not allowed it to make keys, or to have all events sent somewhere.
 */
export function writable(resource: string): string {
  if (!SYSTEM_ROUTES.has(resource)) return resource
  return refuse(
    'resource',
    `expected a resource of records (list_resources has them); ${resource} of /v1 is not changed by tools`,
  )
}

/** Parameters of `GET /v1/{resource}`. */
export function listQuery({ filter = {}, order_by, fields, ...args }: ToolArguments): Query {
  const [sort, order] = order_by?.trim().split(/\s+/) ?? []
  const rest = { q: args.q, limit: args.limit, offset: args.offset, cursor: args.cursor }
  return [
    ...Object.entries(filter).map(([name, value]): readonly [string, string] => [
      name,
      filterText(name, value),
    ]),
    ...plainQuery({
      sort,
      order: order?.toLowerCase(),
      fields: typeof fields === 'string' ? fields : fields?.join(','),
      ...rest,
    }),
  ]
}

/** Arguments that are parameters of the API under the same name. */
export function plainQuery(args: Readonly<Record<string, unknown>>): Query {
  return Object.entries(args)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)])
}

function filterText(name: string, value: FilterValue | readonly FilterValue[]): string {
  if (!Array.isArray(value)) return String(value ?? '')
  if (name.endsWith('__in')) return value.map((one) => escapeComma(String(one ?? ''))).join(',')
  return refuse(
    `filter.${name}`,
    `expected one value, got a list; write ${JSON.stringify(`${name.replace(/__\w+$/, '')}__in`)} for any of several`,
  )
}

/** Escapes a value of a list: commas separate, a backslash takes what follows as it is (contract §3, Filters). */
function escapeComma(text: string): string {
  return text.replace(/[\\,]/g, '\\$&')
}

/** Deeper than anything the API takes (32), and no danger to recursion. */
const MOST_DEPTH = 64

/**
 * The body of a record, when it is still what the client wrote: reading JSON makes another number of
 * integers beyond 2^53 and Infinity of 1e400, which would be stored as null. The API refuses such numbers
 * (contract §3, Values), and here they must be refused before they are written again.
 */
export function recordBody(data: Readonly<Record<string, unknown>>): unknown {
  assertFaithful(data, 'data', 1)
  return data
}

function assertFaithful(value: unknown, field: string, depth: number): void {
  if (typeof value === 'number') {
    const isWhole = Number.isInteger(value)
    if (isWhole ? Number.isSafeInteger(value) : Number.isFinite(value)) return
    refuse(field, 'expected a number of at most 15 significant digits, got one beyond 2^53')
  }
  if (typeof value !== 'object' || value === null) return
  if (depth > MOST_DEPTH) refuse('data', 'expected JSON of at most 32 levels')
  for (const [name, one] of Object.entries(value)) {
    assertFaithful(one, Array.isArray(value) ? `${field}[${name}]` : `${field}.${name}`, depth + 1)
  }
}
