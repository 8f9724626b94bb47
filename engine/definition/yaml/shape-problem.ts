import type { Path } from './parse.ts'

/** A mistake at a place inside one file. */
export interface ShapeProblem {
  readonly path: Path
  /** Whether the key or the value is at fault. */
  readonly part: 'key' | 'value'
  readonly message: string
  /** Path of what has to go so that the rest can still be checked; undefined when something is missing instead. */
  readonly remove?: Path
}
