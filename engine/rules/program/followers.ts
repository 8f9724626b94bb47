import type { Doc } from '../../storage/database/document.ts'
import type { ComputedCell } from '../cells/computed-cell.ts'
import type { StatusRule } from '../cells/status.ts'

/** A new record that another one is like: as it was given, and computed. */
export interface Like {
  readonly given: Doc
  readonly computed: Doc
}

/** Cells that follow from changed fields, and these fields with what the cells fill. */
export interface Followers {
  readonly cells: readonly (ComputedCell | StatusRule)[]
  readonly changed: ReadonlySet<string>
}

/** Finds what follows from fields that change; each set of them, of which there are few, once. */
export function followersAmong(
  all: readonly (ComputedCell | StatusRule)[],
): (fields: readonly string[]) => Followers {
  const known = new Map<string, Followers>()
  return (fields) => {
    const key = fields.join('\0')
    const found = known.get(key) ?? followersOf(all, fields)
    known.set(key, found)
    return found
  }
}

function followersOf(
  all: readonly (ComputedCell | StatusRule)[],
  fields: readonly string[],
): Followers {
  const changed = new Set(fields)
  const cells: (ComputedCell | StatusRule)[] = []
  for (const cell of all) {
    if (!changed.has(cell.path) && !cell.reads.some((read) => changed.has(read))) continue
    changed.add(cell.path)
    cells.push(cell)
  }
  return { cells, changed }
}

/** A record that begins as one it is like, but for what it was given and what follows from that, which is to be computed. */
export function startAlike(
  given: Doc,
  like: Like,
  /** The fields in which they may have been given something else. */
  among: readonly string[],
  following: (fields: readonly string[]) => Followers,
): Followers & { readonly doc: Doc } {
  const others = among.filter((name) => (given[name] ?? null) !== (like.given[name] ?? null))
  const { cells, changed } = following(others)
  const doc = { ...like.computed }
  for (const name of changed) doc[name] = given[name] ?? null
  return { doc, cells, changed }
}
