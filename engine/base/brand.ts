/** The brand in names that go over the wire: they are built from it, so that no other file spells it (contract §1). */
export const BRAND = 'Svc'

/** Prefix of our own methods of surface A (spec §4), e.g. `svc_brand.auth.signup.sign_up`. */
export const METHOD_PREFIX = `${BRAND.toLowerCase()}_brand`

/** The field of a sign-up that says where data is to be kept (spec §2). */
export const DATACENTER_FIELD = `${BRAND.toLowerCase()}_datacenter`

/** The full name of a header of ours: `Event` is `X-Svc-Event`. */
export function brandHeader(name: string): string {
  return `X-${BRAND}-${name}`
}
