import { type ApiRequest, pathOf } from './request.ts'

/** Something a client can read as a whole, beside the tools. */
export interface ReadableResource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  readonly request: ApiRequest
}

/** The two read-only resources (spec §4, Tool server); `scheme` is the brand's, e.g. `svc`. */
export function readableResources(scheme: string): readonly ReadableResource[] {
  const mimeType = 'application/json'
  return [
    {
      uri: `${scheme}://openapi`,
      name: 'openapi',
      title: 'OpenAPI description',
      description:
        'Full OpenAPI 3.1 description of /v1 with every resource and field of this workspace. Very large (800 KB and more): list_resources is mostly enough.',
      mimeType,
      request: { method: 'GET', path: pathOf('openapi.json') },
    },
    {
      uri: `${scheme}://resources`,
      name: 'resources',
      title: 'Resource catalogue',
      description:
        'Slugs, tiers, modules and fields of all resources, with those that can be filtered by; the whole answer of list_resources, 100 KB and more.',
      mimeType,
      request: { method: 'GET', path: pathOf('resources') },
    },
  ]
}
