import type { Hook } from './hook.ts'

/** Hooks by the name that YAML calls them. */
export type Hooks = ReadonlyMap<string, Hook>

/** What DocTypes may name beside one another. */
export interface Vocabulary {
  readonly hooks: Hooks
}

/** The vocabulary of a workspace in which nothing is declared. */
export const NO_VOCABULARY: Vocabulary = { hooks: new Map() }
