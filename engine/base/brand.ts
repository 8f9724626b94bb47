/** The brand in names that go over the wire: they are built from it, so that no other file spells it (contract §1). */
export const BRAND = 'Svc'

/** The full name of a header of ours: `Event` is `X-Svc-Event`. */
export function brandHeader(name: string): string {
  return `X-${BRAND}-${name}`
}
