import type { Actor } from '../../../engine/access/actor.ts'
import type { DocumentResult } from '../../../engine/documents/work/present.ts'
import { countRecords, type ListRow, listRecords } from '../../../server/api/lists/list.ts'
import { openWorkspace, type Workspace } from '../../engine/documents/workspace.ts'
import type { TestDatabase } from '../../helpers/databases.ts'

/** A shop with all that lists of surface A tell apart: links, rows, a tree, secrets, every kind of value. */
const DOCTYPES = `
doctype: Region
module: crm
tier: free
naming: field:title
tree: parent_region
fields:
  title: {type: data, required: true}
  parent_region: {type: link, options: Region}
permissions:
  roles:
    Clerk: [read]
  rows: {Clerk: title != "Mordor"}
---
doctype: Buyer
module: crm
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
  region: {type: link, options: Region}
  credit: {type: currency}
  pin: {type: password}
permissions:
  roles:
    Clerk: [read]
  rows: {Clerk: region == "France"}
---
doctype: Vault
module: crm
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
permissions:
  roles:
    Warden: [read]
---
doctype: Purchase Note
module: sales
tier: free
submittable: true
naming: PN-{#####}
fields:
  buyer: {type: link, options: Buyer}
  vault: {type: link, options: Vault}
  tab_link: {type: link, options: Vault}
  status: {type: select, options: [Open, Paid, Late]}
  note: {type: data}
  story: {type: long_text}
  amount: {type: currency}
  share: {type: percent}
  number: {type: int}
  urgent: {type: check}
  day: {type: date}
  at: {type: datetime}
  hour: {type: time}
  extra: {type: json}
  code: {type: password}
  items: {type: table, options: Purchase Note Item}
  extras: {type: table, options: Purchase Note Item}
  taxes:
    type: table
    options: Purchase Note Tax
    fields:
      title: {type: data}
      rate: {type: percent}
permissions:
  roles:
    Clerk: [read]
  rows: {Clerk: status != "Late"}
---
doctype: Purchase Note Item
child: true
module: sales
tier: free
fields:
  article: {type: data}
  qty: {type: float}
  origin: {type: link, options: Region}
  secret: {type: password}
---
doctype: Return Note
module: sales
tier: free
naming: RN-{#####}
fields:
  items: {type: table, options: Purchase Note Item}
permissions:
  roles:
    Warden: [read]
`

type Body = Readonly<Record<string, unknown>>

/** The shop, with its records made and its lists asked for by the names of DocTypes. */
export interface Shop extends Workspace {
  /** Records of a DocType, in their order. */
  fill(doctype: string, bodies: readonly Body[]): Promise<DocumentResult[]>
  rows(doctype: string, params?: Body, actor?: Actor): Promise<ListRow[]>
  count(doctype: string, params?: Body, actor?: Actor): Promise<number>
  /** The names of the rows listed, in their order. */
  names(doctype: string, params?: Body, actor?: Actor): Promise<unknown[]>
}

export async function openShop(database: TestDatabase): Promise<Shop> {
  const workspace = await openWorkspace(database, DOCTYPES)
  const { context, definition } = workspace
  const as = (actor: Actor | undefined) => context(actor === undefined ? {} : { actor })
  return {
    ...workspace,
    async fill(doctype, bodies) {
      const made: DocumentResult[] = []
      for (const body of bodies) {
        workspace.clock.time += 1000
        made.push(await workspace.create(doctype, body))
      }
      return made
    },
    rows: (doctype, params = {}, actor) => listRecords(as(actor), definition(doctype), params),
    count: (doctype, params = {}, actor) => countRecords(as(actor), definition(doctype), params),
    async names(doctype, params = {}, actor) {
      const rows = await listRecords(as(actor), definition(doctype), { ...params, as_dict: 0 })
      return rows.map((row) => (row as readonly unknown[])[0])
    },
  }
}

/** Somebody with this role alone. */
export function personWith(role: string): Actor {
  const name = `${role.toLowerCase()}@example.com`
  return { kind: 'user', id: name, name, scope: 'admin', roles: [role] }
}
