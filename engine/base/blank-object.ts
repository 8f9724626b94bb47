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
  // Parsed, because `fromEntries` has made a hash table already.
  const blank = JSON.parse(JSON.stringify(empty)) as Record<string, unknown>
  return () => ({ ...blank })
}
