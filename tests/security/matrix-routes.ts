import type { Express } from 'express'
import { METHOD_NAMES } from '../../server/api/routes.ts'

/** What Express keeps of one `use`, `get`, … of a router. */
interface Layer {
  readonly rawPath: unknown
  readonly handle: { readonly stack?: readonly Layer[]; readonly parameters?: readonly string[] }
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
  /** Query parameters by route, where it says which it has (`takes`, `reads`). */
  readonly parameters: ReadonlyMap<string, readonly string[]>
  /** Methods of surface A, by their dotted names. */
  readonly methods: readonly string[]
}

/** Collects the routes from the routers of the app itself, so that none is forgotten. */
export function routesOf(app: Express): AppRoutes {
  const { stack } = app.router as unknown as { readonly stack: readonly Layer[] }
  const parameters = new Map<string, readonly string[]>()
  const found = stack.flatMap((layer) => routesIn(layer, '', parameters))
  return {
    routes: unique(found.filter((route) => !route.startsWith('_ALL '))),
    anyMethod: unique(
      found.flatMap((route) => (route.startsWith('_ALL ') ? [route.slice('_ALL '.length)] : [])),
    ),
    parameters,
    methods: app.get(METHOD_NAMES) as readonly string[],
  }
}

function routesIn(
  { rawPath, handle, route }: Layer,
  base: string,
  parameters: Map<string, readonly string[]>,
): string[] {
  if (route) {
    const stated = route.stack.find((layer) => layer.handle.parameters)?.handle.parameters
    return pathsOf(route.path).flatMap((path) => {
      const names = methodsOf(route.methods).map((method) => `${method} ${base}${path}`)
      if (stated) for (const name of names) parameters.set(name, stated)
      const below = `${base}${path}`.replace(/\/$/, '')
      return [...names, ...route.stack.flatMap((layer) => routesIn(layer, below, parameters))]
    })
  }
  return pathsOf(rawPath).flatMap((path) =>
    (handle.stack ?? []).flatMap((layer) =>
      routesIn(layer, path === '/' ? base : base + path, parameters),
    ),
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
