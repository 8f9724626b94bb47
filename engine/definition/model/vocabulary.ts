import type { DocTypeDefinition } from './definition.ts'
import type { Hook } from './hook.ts'

/** Hooks by the name that YAML calls them. */
export type Hooks = ReadonlyMap<string, Hook>

/** Modules in the order of the menu, with the heading under which people find what is in them. */
export type Modules = ReadonlyMap<string, string>

/** What DocTypes may name beside one another. */
export interface Vocabulary {
  readonly hooks: Hooks
  /** Those of every modules.yaml; where there is none, any name does. */
  readonly modules: Modules
  /** Slugs of the tiers of plans.yaml, lowest first; without that file any name does. */
  readonly tiers: readonly string[]
}

/** The vocabulary of a workspace in which nothing is declared. */
export const NO_VOCABULARY: Vocabulary = { hooks: new Map(), modules: new Map(), tiers: [] }

/** Heading above the resources of a DocType's module, e.g. `crm` → `CRM`. */
export function groupOf(
  { modules }: Pick<Vocabulary, 'modules'>,
  { module }: Pick<DocTypeDefinition, 'module'>,
): string {
  return modules.get(module) ?? module
}
