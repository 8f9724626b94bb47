import type { Registry } from '../engine/definition/model/registry.ts'
import { eventsOf } from '../engine/schema/catalogue/catalog.ts'
import { workspaceEvents } from '../engine/schema/catalogue/workspace-events.ts'
import { type KnownEvents, normalisePattern } from './match.ts'

/** What there is to subscribe to in a workspace: what its records can cause, and what it tells of itself. */
export function knownEvents({ all, vocabulary }: Registry): KnownEvents {
  const ofWorkspace = workspaceEvents(vocabulary)
  return {
    events: new Set([...all.flatMap(eventsOf), ...ofWorkspace.map(({ event }) => event)]),
    resources: new Set([
      ...all.map(({ slug }) => slug),
      ...ofWorkspace.map(({ resource }) => resource),
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
