/** First words of addresses that are none of resources (desk.md 4.0). */
const OWN_ADDRESSES: ReadonlySet<string> = new Set([
  '',
  'all',
  'inbox',
  'r',
  'w',
  'bank',
  'pos',
  'stock',
  'count',
  'me',
  'developer',
  'settings',
  'studio',
])

/** Whether the first word of an address may be that of a resource. */
export function isOfResource(word: string): boolean {
  return !OWN_ADDRESSES.has(word)
}
