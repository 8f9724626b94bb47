import { WORDS } from './en.ts'

/**
 * A label as it stands in a sentence's beginning: `Sales Invoice` → `Sales invoice`; what is an abbreviation stays. Labels of
 * other languages than English come as they are written there.
 */
export function sentenceCase(label: string): string {
  if (WORDS.letters !== 'titles') return label
  const lower = label.replace(/\p{Lu}[\p{Ll}'’]+/gu, (word, at: number) =>
    at === 0 ? word : word.toLowerCase(),
  )
  return lower.charAt(0).toUpperCase() + lower.slice(1)
}

/** The same in the middle of a sentence: `sales invoice`; German nouns stay as they are. */
export function inSentence(label: string): string {
  const text = sentenceCase(label)
  const isKept = WORDS.letters === 'nouns' || /^\p{Lu}{2}/u.test(text)
  return isKept ? text : text.charAt(0).toLowerCase() + text.slice(1)
}
