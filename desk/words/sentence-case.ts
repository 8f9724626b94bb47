/** A label as it stands in a sentence's beginning: `Sales Invoice` → `Sales invoice`; what is an abbreviation stays. */
export function sentenceCase(label: string): string {
  const lower = label.replace(/\p{Lu}[\p{Ll}'’]+/gu, (word, at: number) =>
    at === 0 ? word : word.toLowerCase(),
  )
  return lower.charAt(0).toUpperCase() + lower.slice(1)
}

/** The same in the middle of a sentence: `sales invoice`. */
export function inSentence(label: string): string {
  const text = sentenceCase(label)
  return /^\p{Lu}{2}/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1)
}
