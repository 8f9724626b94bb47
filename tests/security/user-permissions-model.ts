import type { Random } from '../helpers/random.ts'

/** A user permission as the model knows it. */
export interface Permission {
  readonly id: string
  readonly user: string
  readonly allow: string
  readonly value: string
  readonly applicableFor: string | null
  readonly isDefault: boolean
  readonly isAlone: boolean
}

/** A record of one of the DocTypes below. */
export interface Kept {
  readonly id: string
  readonly title: string
  readonly [link: string]: string | null
}

export const ZONES: Readonly<Record<string, string | null>> = {
  World: null,
  Europe: 'World',
  Asia: 'World',
  Spain: 'Europe',
  Italy: 'Europe',
  Madrid: 'Spain',
}

/** Links of each DocType but those of a tree to itself; `party` is what `party_type` says. */
const LINKS: Readonly<Record<string, readonly (readonly [field: string, to: string | null])[]>> = {
  Zone: [],
  Shop: [
    ['zone', 'Zone'],
    ['main_shop', 'Shop'],
  ],
  Deal: [
    ['zone', 'Zone'],
    ['shop', 'Shop'],
    ['second_shop', 'Shop'],
    ['party', null],
  ],
}

export const DOCTYPES: Readonly<Record<string, string>> = {
  zone: `
doctype: Zone
module: crm
tier: free
naming: field:title
tree: parent_zone
fields:
  title: {type: data, required: true}
  parent_zone: {type: link, options: Zone}
permissions:
  roles:
    Sales User: [all]
`,
  shop: `
doctype: Shop
module: crm
tier: free
naming: "SHOP-{###}"
title: title
fields:
  title: {type: data, required: true}
  zone: {type: link, options: Zone, filterable: true}
  main_shop: {type: link, options: Shop}
permissions:
  roles:
    Sales User: [all]
`,
  'reports/deal-list': `
report: Deal List
module: crm
description: Deals beside the titles of their shops.
params:
  zone: {type: data}
from: Deal
filter: [zone]
columns:
  deal: {value: name}
  shop: {}
  title: {value: shop.title}
order: [deal]
`,
  'reports/deal-count': `
report: Deal Count
module: crm
description: Deals by the titles of their shops.
from: Deal
columns:
  shop: {}
  title: {value: shop.title}
  deals: {count: true}
order: [shop]
totals: [deals]
`,
  deal: `
doctype: Deal
module: crm
tier: free
naming: "DEAL-{####}"
search: [title]
fields:
  title: {type: data, required: true, filterable: true}
  zone: {type: link, options: Zone, filterable: true}
  shop: {type: link, options: Shop, filterable: true}
  second_shop: {type: link, options: Shop}
  party_type: {type: data}
  party: {type: dynamic_link, options: party_type}
permissions:
  roles:
    Sales User: [all]
`,
}

/** The DocType a link of a record leads to. */
function targetOf(to: string | null, record: Pick<Kept, 'party_type'>): string | null {
  return to ?? record.party_type ?? null
}

/** Whether a record is there for somebody with these permissions. */
export function isSeen(permissions: readonly Permission[], doctype: string, record: Kept): boolean {
  const own = permissions.filter(({ applicableFor }) => (applicableFor ?? doctype) === doctype)
  return [...new Set(own.map(({ allow }) => allow))].every((allow) => {
    const names = own.filter((one) => one.allow === allow).flatMap(namesOf)
    if (allow === doctype) return names.includes(record.id)
    return LINKS[doctype]!.every(([field, to]) => {
      const name = record[field] ?? null
      return targetOf(to, record as never) !== allow || name === null || names.includes(name)
    })
  })
}

function namesOf({ allow, value, isAlone }: Permission): readonly string[] {
  if (allow !== 'Zone' || isAlone) return [value]
  return Object.keys(ZONES).filter((zone) => {
    for (let at: string | null = zone; at !== null; at = ZONES[at] ?? null)
      if (at === value) return true
    return false
  })
}

/** What a new record becomes by default permissions. */
export function withDefaults(
  permissions: readonly Permission[],
  doctype: string,
  record: Kept,
): Kept {
  const filled: Record<string, string | null> = { ...record }
  for (const { allow, value, isDefault, applicableFor } of permissions) {
    if (!isDefault || (applicableFor ?? doctype) !== doctype) continue
    for (const [field, to] of LINKS[doctype]!) if (to === allow) filled[field] ??= value
  }
  return filled as Kept
}

/** Links of a record, as what they name; `before` leaves out those that did not change. */
export function namedBy(
  doctype: string,
  record: Kept,
  before?: Kept,
): readonly (readonly [doctype: string, name: string])[] {
  return LINKS[doctype]!.flatMap(([field, to]) => {
    const name = record[field] ?? null
    const target = targetOf(to, record as never)
    const isSame =
      before !== undefined &&
      (before[field] ?? null) === name &&
      targetOf(to, before as never) === target
    return name === null || target === null || isSame ? [] : [[target, name] as const]
  })
}

/** Values of a new or changed record. */
export function randomRecord(
  random: Random,
  doctype: string,
  shops: readonly string[],
): Omit<Kept, 'id'> {
  const zone = () => (random.chance(0.6) ? random.one(Object.keys(ZONES)) : null)
  const shop = () => (random.chance(0.5) ? random.one(shops) : null)
  const title = random.one(['apple', 'berry', 'cedar'])
  if (doctype === 'Shop') return { title, zone: zone(), main_shop: shop() }
  const party_type = random.one(['Zone', 'Shop', null])
  const party = party_type === null ? null : party_type === 'Zone' ? zone() : shop()
  return { title, zone: zone(), shop: shop(), second_shop: shop(), party_type, party }
}
