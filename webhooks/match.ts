import { suggest } from '../engine/base/suggest.ts'

/** Events and resources there are to subscribe to. */
export interface KnownEvents {
  /** Full names, `<resource>.<verb>`. */
  readonly events: ReadonlySet<string>
  /** Slugs of the resources. */
  readonly resources: ReadonlySet<string>
}

const EVERYTHING = '*'
const EVERY_VERB = '.*'
/** Characters of a pattern that a message repeats. */
const MOST_SHOWN = 80

/**
 * A pattern with the slug of the resource where it names an alias: `invoices.*` becomes `sales-invoices.*`
 * (contract §1). Events bear slugs only, so what is stored and matched must be the normal form.
 */
export function normalisePattern(
  pattern: string,
  aliasToSlug: ReadonlyMap<string, string>,
): string {
  const resource = resourceOf(pattern)
  const slug = aliasToSlug.get(resource)
  return slug === undefined ? pattern : slug + pattern.slice(resource.length)
}

/**
 * Reason why nobody can subscribe to this pattern, undefined when it is `*`, `<resource>.*` of a resource there
 * is or an event there is (spec §6). Takes the normal form.
 */
export function patternProblem(
  pattern: string,
  { events, resources }: KnownEvents,
): string | undefined {
  if (pattern === EVERYTHING || events.has(pattern)) return undefined
  const resource = resourceOf(pattern)
  if (pattern === resource + EVERY_VERB && resources.has(resource)) return undefined
  const wildcards = Array.from(resources, (slug) => slug + EVERY_VERB)
  const meant =
    pattern === resource && resources.has(resource)
      ? resource + EVERY_VERB
      : suggest(pattern, [...events, ...wildcards])
  return `no event matches ${shown(pattern)}; ${meant === undefined ? hint(resource, events) : `did you mean ${meant}?`}`
}

/** Test of whether an event matches any of these patterns. Compiles them once; keep what it returns. */
export function matcher(patterns: readonly string[]): (event: string) => boolean {
  if (patterns.includes(EVERYTHING)) return () => true
  const exact = new Set(patterns)
  const resources = new Set(
    patterns
      .filter((pattern) => pattern.endsWith(EVERY_VERB))
      .map((pattern) => pattern.slice(0, -EVERY_VERB.length)),
  )
  if (resources.size === 0) return (event) => exact.has(event)
  return (event) => exact.has(event) || resources.has(resourceOf(event))
}

/** Part before the first dot: slugs have none (contract §1). */
function resourceOf(name: string): string {
  const dot = name.indexOf('.')
  return dot < 0 ? name : name.slice(0, dot)
}

function hint(resource: string, events: ReadonlySet<string>): string {
  const own = [...events].filter((event) => resourceOf(event) === resource)
  return own.length > 0
    ? `that resource has ${own.join(', ')}`
    : `GET /v1/webhooks/events lists them, ${EVERYTHING} and <resource>${EVERY_VERB} stand for many`
}

function shown(pattern: string): string {
  return JSON.stringify(pattern.length > MOST_SHOWN ? `${pattern.slice(0, MOST_SHOWN)}…` : pattern)
}
