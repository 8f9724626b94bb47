import type { Words } from './dialect.ts'

/**
 * Adds to what a client is shown of a record, or of a row, the names that it knows the fields by. A name of the dialect
 * stands for its field even where a field here is called so.
 */
export function addShownNames(words: Words | undefined, shown: Record<string, unknown>): void {
  if (!words) return
  const own = { ...shown }
  for (const { from, field, column, when } of words.takes) {
    const isFree = !Object.hasOwn(own, from) && (shown[from] ?? null) === null
    if (column === undefined && isFree && isMeantBy(when, own) && Object.hasOwn(own, field))
      shown[from] = own[field]
  }
  for (const [name, { field, words: steps }] of words.shows)
    if (Object.hasOwn(own, field)) shown[name] = steps ? stepOf(steps, own[field]) : own[field]
}

/** Word for how far a percentage has come. */
function stepOf(steps: readonly string[], percentage: unknown): string | undefined {
  const done = Number(percentage ?? 0)
  return done <= 0 ? steps[0] : done >= 100 ? steps.at(-1) : steps[1]
}

function isMeantBy(
  when: Readonly<Record<string, readonly string[]>> | undefined,
  shown: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(when ?? {}).every(
    ([name, values]) => !Object.hasOwn(shown, name) || values.includes(String(shown[name])),
  )
}
