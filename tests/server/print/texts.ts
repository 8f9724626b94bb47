/** The texts of a page, one a line. */
export function textsOf(page: string): string {
  return page
    .slice(page.indexOf('<main'))
    .replace(/<[^>]*>/g, '\n')
    .replaceAll('\u00a0', ' ')
    .replaceAll('\u202f', ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n')
}
