import fc from 'fast-check'
import type { Scope } from '../../engine/access/actor.ts'
import type { Registry } from '../../engine/definition/model/registry.ts'
import { standardFields } from '../../engine/definition/model/standard-fields.ts'
import { fieldType } from '../../engine/fields/index.ts'
import { isWritable } from '../../engine/schema/shapes/json-schema.ts'
import { headerValue, hostileText, pathPart, rawValue } from './hostile.ts'

export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface Surface {
  /** Of the OpenAPI document: path → method → operation. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly registry: Registry
  readonly keys: Readonly<Record<Scope, string>>
  /** Slugs that get most of the requests. */
  readonly own: readonly string[]
  /** Encoded names of records that are there. */
  readonly ids: readonly string[]
}

/** Requests to every operation of the OpenAPI, with hostile path parameters, parameters, headers and bodies. */
export function hostileRequests({ paths, registry, keys, own, ids }: Surface): fc.Arbitrary<Sent> {
  const operations = Object.entries(paths).flatMap(([path, methods]) => {
    const weight = own.some((slug) => path.startsWith(`/v1/${slug}`)) ? 12 : 1
    return Object.keys(methods)
      .filter((method) => /^(get|post|patch|put|delete|head)$/.test(method))
      .flatMap((method) => Array.from({ length: weight }, () => ({ method, path })))
  })
  const names = (path: string): readonly string[] => {
    const definition = registry.bySlug(path.split('/')[2] ?? '')
    return definition
      ? [...definition.fields, ...definition.fields, ...standardFields(definition)].map(
          ({ name }) => name,
        )
      : ['label', 'scope', 'env', 'allow_ips', 'expires']
  }
  const parameters = (path: string): readonly string[] => {
    const definition = registry.bySlug(path.split('/')[2] ?? '')
    const filters = definition
      ? [...definition.fields, ...standardFields(definition)].flatMap((field) =>
          fieldType(field.type).operators.map((operator) =>
            operator === 'eq' ? field.name : `${field.name}__${operator}`,
          ),
        )
      : []
    const own = ['limit', 'offset', 'cursor', 'sort', 'order', 'q', 'fields', '_titles']
    return [...filters, ...own, ...own, 'nothing', 'name__', '__eq', 'data__ilike', '_reserved']
  }
  /** What a create needs, so that one hostile value beside it is all that is wrong. */
  const valid = (path: string, n: number): [string, string][] => {
    const definition = registry.bySlug(path.split('/')[2] ?? '')
    if (!definition || path.includes('{')) return []
    const given = definition.fields.filter((field) => field.required || n % 3 === 0)
    const entries = given
      .filter(
        (field) => isWritable(field, 'create') && !field.link && !field.linkFrom && !field.child,
      )
      .map((field): [string, unknown] => [field.name, fieldType(field.type).example(field, n)])
    if (definition.naming.kind === 'prompt') entries.push(['name', `name ${n}`])
    return entries.map(([name, value]) => [name, JSON.stringify(value)])
  }
  const key = fc.constantFrom(
    ...Object.values(keys),
    ...Array<string>(20).fill(keys.admin),
    `${keys.admin.slice(0, -1)}_`,
    'svc_live_',
    '',
  )
  return fc.constantFrom(...operations).chain(({ method, path }) => {
    const id = fc.oneof(fc.constantFrom(...ids), pathPart)
    const field = fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...names(path)) }, hostileText)
    const parameter = fc.tuple(
      fc.oneof({ weight: 15, arbitrary: fc.constantFrom(...parameters(path)) }, hostileText),
      fc.oneof({ weight: 9, arbitrary: hostileText.map(encodeURIComponent) }, pathPart),
    )
    const query = fc.oneof(
      { weight: 3, arbitrary: fc.array(parameter, { maxLength: 1 }) },
      fc.array(parameter, { maxLength: 4 }),
    )
    const hostile = fc.array(fc.tuple(field, rawValue), { maxLength: 5 })
    const body = fc.oneof(
      {
        weight: 8,
        arbitrary: fc
          .tuple(fc.nat(99_999), fc.array(fc.tuple(field, rawValue), { maxLength: 2 }))
          .map(([n, entries]) => jsonText([...valid(path, n), ...entries])),
      },
      { weight: 3, arbitrary: hostile.map(jsonText) },
      rawValue,
    )
    const headers = fc.record(
      {
        authorization: fc.oneof(
          { weight: 30, arbitrary: key.map((text) => `Bearer ${text}`) },
          headerValue,
        ),
        'content-type': fc.oneof(
          { weight: 30, arbitrary: fc.constant('application/json') },
          fc.constantFrom('text/plain', 'application/json; charset=latin1', 'application/xml'),
          headerValue,
        ),
      },
      { noNullPrototype: true },
    )
    const more = fc.oneof(
      { weight: 5, arbitrary: fc.constant({}) },
      fc
        .tuple(
          fc.constantFrom(
            ...['x-api-key', 'idempotency-key', 'if-match', 'if-none-match', 'x-request-id'],
            ...['accept', 'accept-encoding', 'content-encoding', 'origin', 'x-forwarded-for'],
            ...['access-control-request-method', 'cookie', 'x-http-method-override', 'range'],
          ),
          headerValue,
        )
        .map(([name, value]) => ({ [name]: value })),
    )
    const verb = fc.oneof(
      { weight: 15, arbitrary: fc.constant(method.toUpperCase()) },
      fc.constantFrom('PUT', 'OPTIONS', 'HEAD', 'DELETE', 'TRACE', 'PROPFIND', 'POST'),
    )
    return fc.record({ id, query, body, headers, more, verb }).map((made): Sent => {
      const search = made.query
        .map(([name, value]) => `${encodeURIComponent(name)}=${value}`)
        .join('&')
      const withBody = made.verb !== 'GET' && made.verb !== 'HEAD' && made.verb !== 'TRACE'
      return {
        method: made.verb,
        path: path.replace(/\{\w+\}/g, () => made.id) + (search === '' ? '' : `?${search}`),
        headers: { ...made.headers, ...made.more },
        body: withBody ? made.body : undefined,
      }
    })
  })
}

function jsonText(entries: readonly (readonly [string, string])[]): string {
  return `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
}
