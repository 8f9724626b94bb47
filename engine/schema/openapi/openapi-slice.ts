import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import { type OpenApiDocument, type OpenApiOptions, openApiDocument } from './openapi.ts'
import type { Paths } from './openapi-paths.ts'

type Components = OpenApiDocument['components']

/**
 * The description of some resources and of the reports of `options.more`: a whole description by itself, with what these
 * lead to, what all resources answer alike (comments, groups, explanations), and nothing else. Names of shapes and operations are those of the whole one.
 */
export function openApiSlice(
  registry: Registry,
  only: readonly DocTypeDefinition[],
  options: OpenApiOptions,
): OpenApiDocument {
  const slugs = new Set(only.map(({ slug }) => slug))
  const document = openApiDocument(registry, { ...options, only })
  return sliceOf(document, (path) => {
    const isReport = path.startsWith('/v1/reports/') && path in (options.more?.paths ?? {})
    const of = path.split('/')[2] ?? ''
    return isReport || slugs.has(of) || (of === '{resource}' && only.length > 0)
  })
}

function sliceOf(document: OpenApiDocument, isChosen: (path: string) => boolean): OpenApiDocument {
  const paths: Paths = Object.fromEntries(
    Object.entries(document.paths).filter(([path]) => isChosen(path)),
  )
  const { webhooks: _, tags, ...rest } = document
  const used = tagsOf(paths)
  return {
    ...rest,
    openapi: document.openapi,
    tags: (tags as readonly JsonSchema[]).filter(({ name }) => used.has(String(name))),
    paths,
    components: reachable(document.components, paths),
  }
}

function tagsOf(paths: Paths): ReadonlySet<string> {
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  return new Set(operations.flatMap((operation) => (operation as { tags?: string[] }).tags ?? []))
}

/** Components that something leads to, directly or through others; and the ways to sign in. */
function reachable(components: Components, from: unknown): Components {
  const { securitySchemes = {} } = components
  const kept: Record<string, Record<string, JsonSchema>> = {}
  const waiting = [from]
  while (waiting.length > 0) {
    for (const ref of refsOf(waiting.pop())) {
      const [, , kind = '', name = ''] = ref.split('/')
      const found = components[kind]?.[name]
      const group = kept[kind] ?? {}
      kept[kind] = group
      if (found === undefined || name in group) continue
      group[name] = found
      waiting.push(found)
    }
  }
  return { ...kept, securitySchemes }
}

function refsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const { $ref } = value as { readonly $ref?: unknown }
  const inside = Object.entries(value).flatMap(([key, child]) =>
    key.startsWith('example') ? [] : refsOf(child),
  )
  return typeof $ref === 'string' ? [$ref, ...inside] : inside
}
