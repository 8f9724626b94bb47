import type { DocTypeDefinition } from '../definition/definition.ts'
import type { Rights } from './can.ts'
import { unlocks } from './plans.ts'

/** Slugs of the resources whose records the caller may not read, so neither what happened to them. */
export function hiddenResources(
  { actor, plans, tier }: Rights,
  definitions: readonly DocTypeDefinition[],
): readonly string[] {
  if (actor.kind === 'system') return []
  return definitions
    .filter((definition) => !unlocks(plans, tier, definition.tier))
    .map(({ slug }) => slug)
}
