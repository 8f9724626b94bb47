/** Words of messages for the types of JSON Schema: `expected a whole number`. */
export const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  number: 'a number',
  integer: 'a whole number',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

const MOST_SHOWN = 60

/** What came, as messages say it behind "got": `"abc"`, `7`, `a list`; long texts are cut. */
export function shown(got: unknown): string {
  if (got === undefined) return 'nothing'
  if (typeof got === 'number' || typeof got === 'bigint') return String(got)
  if (Array.isArray(got)) return got.length === 0 ? 'an empty list' : 'a list'
  if (typeof got === 'object' && got !== null) return 'an object'
  const text = JSON.stringify(got)
  // A cut may not leave half of a surrogate pair.
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN).toWellFormed()}…` : text
}
