import type { HasFields } from '../../fields/public-fields.ts'

/** Shows the text of an expression; undefined where it reads what callers do not know. */
export type TellExpression = (source: string | undefined) => string | undefined

const WORD = /[a-z_]\w*/gi

/**
 * Text of expressions of a DocType or table as descriptions show it: left out where a word of it is the name of one of
 * its internal fields, or of those of its tables, or what a path in it leads to is one. No name of them gets out, and no client could compute it.
 */
export function tellExpressions(owner: HasFields): TellExpression {
  const internal = new Set(internalNames(owner))
  return (source) => (source?.match(WORD)?.some((word) => internal.has(word)) ? undefined : source)
}

function internalNames({ fields }: HasFields): readonly string[] {
  return fields.flatMap(({ name, internal, made, child }) => [
    ...(internal ? [made ? (made.untold ?? []) : name].flat() : []),
    ...(child ? internalNames(child) : []),
  ])
}
