import type { Registry } from '../engine/definition/model/registry.ts'
import { eventsOf } from '../engine/schema/catalogue/catalog.ts'
import { WORKSPACE_EVENTS } from '../engine/schema/catalogue/workspace-events.ts'
import { type KnownEvents, normalisePattern } from './match.ts'

/** Events of a workspace that can be subscribed to: what its records can cause, and what it tells of itself. */
export function knownEvents({ all }: Registry): KnownEvents {
  return {
    events: new Set([...all.flatMap(eventsOf), ...WORKSPACE_EVENTS.map(({ event }) => event)]),
    resources: new Set([
      ...all.map(({ slug }) => slug),
      ...WORKSPACE_EVENTS.map(({ resource }) => resource),
    ]),
  }
}

/** Brings names of events and patterns to their normal form: wherever a resource answers to an alias, its events do. */
export function eventNames({ all }: Registry): (pattern: string) => string {
  const slugs = new Map(
    all.flatMap(({ slug, aliases }) => aliases.map((alias) => [alias, slug] as const)),
  )
  return (pattern) => normalisePattern(pattern, slugs)
}
