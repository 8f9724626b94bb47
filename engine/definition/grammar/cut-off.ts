/** Message about what a comma of a map on one line has cut off from its expression. */
export const CUT_OFF = 'the comma ended the expression: put it in quotes'

/**
 * Whether what YAML takes for a key is the rest of the text before it: `{formula: max(a, b)}` has a key `b)` without a
 * value.
 */
export function isCutOff(before: unknown, key: string, value: unknown): boolean {
  return typeof before === 'string' && mayBeCutOff(key, value) && isUnclosed(before)
}

/** Whether a key looks like the rest of a text, whatever stands before it. */
export function mayBeCutOff(key: string, value: unknown): boolean {
  return value === null || /[()[\]{}"']/.test(key)
}

/** Whether a bracket or a quote of a text is never closed. */
function isUnclosed(text: string): boolean {
  let open = 0
  let quote = ''
  for (const letter of text) {
    if (quote !== '') quote = letter === quote ? '' : quote
    else if (letter === '"' || letter === "'") quote = letter
    else if ('([{'.includes(letter)) open += 1
    else if (')]}'.includes(letter)) open -= 1
  }
  return open > 0 || quote !== ''
}
