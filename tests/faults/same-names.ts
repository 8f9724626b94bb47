import * as assert from 'uvu/assert'

/** Two lists hold the same names, each as often, in any order; says which ones are missing or too many. */
export function assertSameNames(
  actual: Iterable<string>,
  expected: Iterable<string>,
  about: string,
): void {
  const counts = new Map<string, number>()
  for (const name of actual) counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const name of expected) counts.set(name, (counts.get(name) ?? 0) - 1)
  const differing = (sign: 1 | -1): string[] =>
    [...counts].filter(([, count]) => Math.sign(count) === sign).map(([name]) => name)
  assert.equal(
    { missing: differing(-1), tooMany: differing(1) },
    { missing: [], tooMany: [] },
    about,
  )
}
