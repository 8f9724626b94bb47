/** Text of strangers for a terminal: control characters, which could move its cursor, as `\u001b`. */
export function printable(text: string): string {
  return text.replace(
    /[^\P{Cc}\n\t]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
