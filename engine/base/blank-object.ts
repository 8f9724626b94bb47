/** Most properties with which V8 copies an object in one step; of one more it copies each by itself. */
const COPIED_AT_ONCE = 120
/** Names that mean nothing but themselves in code. */
const PLAIN = /^(?!__)[A-Za-z_]\w*$/

/**
 * Makes objects that have these values, and all these further properties, null at first. Setting a known
 * property is fast; an object that gets some fifteen of them one by one under computed names is turned into a
 * hash table by V8, and reading and writing it as JSON then takes several times as long.
 */
export function blankObject(
  names: Iterable<string>,
  values: Readonly<Record<string, string | number>> = {},
): () => Record<string, unknown> {
  const empty = { ...values, ...Object.fromEntries(Array.from(names, (name) => [name, null])) }
  const keys = Object.keys(empty)
  if (keys.length > COPIED_AT_ONCE && keys.every((key) => PLAIN.test(key))) return written(empty)
  // Parsed, because `fromEntries` has made a hash table already.
  const blank = JSON.parse(JSON.stringify(empty)) as Record<string, unknown>
  return () => ({ ...blank })
}

/** Copies objects that have these properties and hardly others. */
export function copierOf(
  names: readonly string[],
): <T extends Readonly<Record<string, unknown>>>(object: T) => T {
  if (names.length <= COPIED_AT_ONCE) return (object) => ({ ...object })
  const blank = blankObject(names)
  return (object) => Object.assign(blank(), object)
}

/** The same as code, which makes a large object some thirty times as fast as a copy of one. */
function written(empty: Readonly<Record<string, unknown>>): () => Record<string, unknown> {
  return new Function(`'use strict'; return () => (${JSON.stringify(empty)})`)() as () => Record<
    string,
    unknown
  >
}
