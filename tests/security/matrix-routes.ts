import type { Express } from 'express'
import { METHOD_NAMES } from '../../server/api/routes.ts'

/** What Express keeps of one `use`, `get`, … of a router. */
interface Layer {
  readonly rawPath: unknown
  readonly handle: { readonly stack?: readonly Layer[] }
  readonly route?: {
    readonly path: unknown
    readonly methods: Readonly<Record<string, true>>
    readonly stack: readonly Layer[]
  }
}

/** Everything that an app answers to. */
export interface AppRoutes {
  /** Such as `GET /v1/:resource`. */
  readonly routes: readonly string[]
  /** Paths that answer whatever the method is: the 405 behind their routes, and what dispatches itself. */
  readonly anyMethod: readonly string[]
  /** Methods of surface A, by their dotted names. */
  readonly methods: readonly string[]
}

/** Collects the routes from the routers of the app itself, so that none is forgotten. */
export function routesOf(app: Express): AppRoutes {
  const { stack } = app.router as unknown as { readonly stack: readonly Layer[] }
  const found = stack.flatMap((layer) => routesIn(layer, ''))
  return {
    routes: unique(found.filter((route) => !route.startsWith('_ALL '))),
    anyMethod: unique(
      found.flatMap((route) => (route.startsWith('_ALL ') ? [route.slice('_ALL '.length)] : [])),
    ),
    methods: app.get(METHOD_NAMES) as readonly string[],
  }
}

function routesIn({ rawPath, handle, route }: Layer, base: string): string[] {
  if (route) {
    return pathsOf(route.path).flatMap((path) => [
      ...methodsOf(route.methods).map((method) => `${method} ${base}${path}`),
      ...route.stack.flatMap((layer) => routesIn(layer, `${base}${path}`.replace(/\/$/, ''))),
    ])
  }
  return pathsOf(rawPath).flatMap((path) =>
    (handle.stack ?? []).flatMap((layer) => routesIn(layer, path === '/' ? base : base + path)),
  )
}

/** `all` of a router stands under one name, that of an app under the names of all methods there are. */
function methodsOf(methods: Readonly<Record<string, true>>): string[] {
  const names = Object.keys(methods)
  return names.length > 10 ? ['_ALL'] : names.map((name) => name.toUpperCase())
}

/** Throws for a pattern: the table could not name it. */
function pathsOf(path: unknown): string[] {
  return [path ?? '/'].flat(2).map((one) => {
    if (typeof one === 'string') return one
    throw new Error(`expected the path of a route as text, got ${String(one)}`)
  })
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}
