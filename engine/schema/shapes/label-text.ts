/** Letters whose names begin with a vowel, as in "an HR file". */
const SPOKEN_WITH_VOWEL = /^[AEFHILMNORSX](?=[A-Z]|$)/
const ACRONYM = /^[A-Z]{2}/

/** A label behind its article: `Sales Order` → `a Sales Order`. */
export function withArticle(label: string): string {
  const isVowel = ACRONYM.test(label) ? SPOKEN_WITH_VOWEL.test(label) : /^[AEIO]/i.test(label)
  return `${isVowel ? 'an' : 'a'} ${label}`
}

/** A label inside a sentence: `Sales Order` → `sales order`, `GL Entry` → `GL entry`. */
export function inSentence(label: string): string {
  return label
    .split(' ')
    .map((word) => (/[A-Z]/.test(word.slice(1)) ? word : word.toLowerCase()))
    .join(' ')
}

/** A text as the beginning of a sentence. */
export function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
