/**
 * Reads an address that the provider sends people back to: one of this workspace, or a path of it. undefined for
 * any other: it would make us send people to somebody else's page (reliability.md S9). `{…}` stays as it is, the
 * provider fills in `{CHECKOUT_SESSION_ID}`.
 */
export function returnAddress(text: unknown, addresses: readonly string[]): string | undefined {
  const [home] = addresses
  if (typeof text !== 'string' || text.length > MAX_LENGTH || home === undefined) return undefined
  const url = URL.parse(text, home)
  const isOurs = addresses.some((address) => url?.origin === new URL(address).origin)
  if (!url || !isOurs || url.username !== '' || url.password !== '') return undefined
  return url.href.replaceAll('%7B', '{').replaceAll('%7D', '}')
}

/** Address people come back to when none was given; `outcome` tells the page what happened. */
export function homeAddress(addresses: readonly string[], outcome?: string): string {
  const url = new URL(addresses[0] ?? 'http://localhost')
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  if (outcome !== undefined) url.searchParams.set('checkout', outcome)
  return url.href
}

const MAX_LENGTH = 2000
