/** The name of a table or column in a statement that is written as text, on either database. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
