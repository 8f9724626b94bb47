import type { Router } from 'express'
import { assertScope } from '../../engine/access/can.ts'
import { type Detail, validationError } from '../../engine/base/errors.ts'
import { suggest } from '../../engine/base/suggest.ts'
import type { Registry } from '../../engine/definition/model/registry.ts'
import { eventCatalogue } from '../../engine/schema/catalogue/event-catalogue.ts'
import type { EventEntry } from '../../engine/schema/catalogue/event-entry.ts'
import { eventNames, knownEvents } from '../../webhooks/known-events.ts'
import { matcher, patternProblem } from '../../webhooks/match.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { cameTwice, reads, unknownParameter } from '../http/query-parameters.ts'
import { type Parameters, readQuery } from '../http/query-string.ts'
import type { Handler } from '../http/request-state.ts'
import type { V1 } from './call.ts'
import { definitionTexts, perDefinitions, sendTagged, taggedText } from './definition-texts.ts'

/**
 * `GET /v1/webhooks/events`: every type of event there is to subscribe to (spec §4). Mount it before routes
 * that take a part of the path as the id of a subscription.
 */
export function eventCatalogueRoutes(router: Router, v1: Pick<V1, 'engine'>): void {
  router.get('/webhooks/events', reads(...FILTERS), list(v1))
  router.all('/webhooks/events', methodNotAllowed('GET, HEAD'))
}

function list({ engine }: Pick<V1, 'engine'>): Handler {
  const entriesOf = perDefinitions((registry) =>
    eventCatalogue(registry).map((entry) => ({ entry, json: JSON.stringify(entry) })),
  )
  const textOf = (listed: readonly ListedEvent[]): string =>
    `{"data":[${listed.map(({ json }) => json).join(',')}]}`
  const whole = definitionTexts((registry) => textOf(entriesOf(registry)))
  return (request, response) => {
    assertScope(response.locals.actor, 'read', 'read the list of events')
    const { actor, tier } = response.locals
    const registry = engine.services.knownRegistry(engine.context(actor, tier))
    const all = entriesOf(registry)
    const chosen = chosenBy(readQuery(request.url), all, registry)
    // Parts of it are not kept: there are many more ways to ask than there are definitions.
    const text = chosen.length === all.length ? whole(registry, '') : taggedText(textOf(chosen))
    sendTagged(request, response, text)
  }
}

/** An entry with its text, which is made once. */
interface ListedEvent {
  readonly entry: EventEntry
  readonly json: string
}

const FILTERS = ['event', 'resource', 'group'] as const
type FilterName = (typeof FILTERS)[number]

/** The entries that all parameters let through. Throws 422 with every parameter that means nothing here. */
function chosenBy(
  parameters: Parameters,
  listed: readonly ListedEvent[],
  registry: Registry,
): readonly ListedEvent[] {
  const details: Detail[] = []
  const given = new Map<FilterName, string>()
  for (const [field, value] of parameters) {
    const name = FILTERS.find((known) => known === field)
    if (name === undefined)
      details.push({ field, message: unknownParameter(field, FILTERS), code: 'unknown_field' })
    else if (given.has(name)) details.push(cameTwice(field))
    else given.set(name, value)
  }
  const wanted = [...given].map(([name, value]) => {
    const { matches, problem } = READERS[name](value, listed, registry)
    if (problem !== undefined) details.push({ field: name, message: problem, code: 'wrong_type' })
    return matches
  })
  if (details.length > 0) throw validationError(details)
  return listed.filter(({ entry }) => wanted.every((matches) => matches(entry)))
}

interface Wanted {
  readonly matches: (entry: EventEntry) => boolean
  /** Problem of a value that nothing could ever match. */
  readonly problem?: string | undefined
}

type Reader = (value: string, listed: readonly ListedEvent[], registry: Registry) => Wanted

const READERS: Readonly<Record<FilterName, Reader>> = {
  event: (value, _listed, registry) => wantedEvent(value, registry),
  // Everywhere else in the API a resource answers to its aliases too.
  resource: (value, listed, registry) =>
    wantedValue('resource', registry.bySlug(value)?.slug ?? value, listed),
  group: (value, listed) => wantedValue('group', value, listed),
}

/** Events of the catalogue that a subscription of this pattern would be told of (spec §6). */
function wantedEvent(value: string, registry: Registry): Wanted {
  const pattern = eventNames(registry)(value)
  const matches = matcher([pattern])
  return {
    matches: ({ event }) => matches(event),
    problem: patternProblem(pattern, knownEvents(registry)),
  }
}

function wantedValue(
  key: 'resource' | 'group',
  value: string,
  listed: readonly ListedEvent[],
): Wanted {
  const matches = (entry: EventEntry): boolean => entry[key] === value
  if (listed.some(({ entry }) => matches(entry))) return { matches }
  const values = [...new Set(listed.map(({ entry }) => entry[key]))]
  const expected =
    key === 'group' ? `one of ${values.join(', ')}` : 'the slug of a resource that has events'
  return { matches, problem: unknownValue(expected, value, values) }
}

function unknownValue(expected: string, value: string, known: readonly string[]): string {
  const shown = value.slice(0, 100)
  const near = suggest(shown, known)
  return `expected ${expected}, got ${JSON.stringify(shown)}${near === undefined ? '' : `; did you mean ${near}?`}`
}
