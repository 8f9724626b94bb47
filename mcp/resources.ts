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
        'Full OpenAPI 3.1 description of /v1 with every resource and field of this workspace. Very large (2 MB and more): read one of the templates, of a module or of one resource.',
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

/** Resources of one kind, each named by a word of its address. */
export interface ReadableTemplate {
  readonly uriTemplate: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  /** Returns the request for one of them. */
  readonly read: (word: string) => ApiRequest
}

/** Parts of the two resources, each small enough to be read at once. */
export function readableTemplates(scheme: string): readonly ReadableTemplate[] {
  const mimeType = 'application/json'
  return [
    {
      uriTemplate: `${scheme}://openapi/{module}`,
      name: 'openapi-of-module',
      title: 'OpenAPI description of a module',
      description:
        'OpenAPI 3.1 description of the resources of one module, e.g. "crm"; list_resources names the modules. Still some 100 KB for the large ones.',
      mimeType,
      read: (module) => ({
        method: 'GET',
        path: pathOf('openapi.json'),
        query: [['module', module]],
      }),
    },
    {
      uriTemplate: `${scheme}://resources/{slug}`,
      name: 'resource-for-writing',
      title: 'What may be sent to a resource',
      description:
        'Fields, rows and actions that a caller may send to one resource, in at most 6,000 characters.',
      mimeType,
      read: (slug) => ({
        method: 'GET',
        path: pathOf('resources', ['slug', slug]),
        query: [['for', 'write']],
      }),
    },
  ]
}

/** The resource that a template makes of this address; none where it fits no template or holds no word. */
export function templateRead(
  templates: readonly ReadableTemplate[],
  uri: string,
): readonly ReadableResource[] {
  return templates.flatMap(({ uriTemplate, read, ...shown }) => {
    const start = uriTemplate.slice(0, uriTemplate.indexOf('{'))
    const word = uri.startsWith(start) ? uri.slice(start.length) : ''
    return /^[\w-]{1,140}$/.test(word) ? [{ ...shown, uri, request: read(word) }] : []
  })
}
