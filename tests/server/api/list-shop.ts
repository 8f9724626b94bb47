import type { DocTypeDefinition } from '../../../engine/definition/definition.ts'
import type { Context } from '../../../engine/documents/context.ts'
import { countRecords, type ListRow, listRecords } from '../../../server/api/list.ts'
import { openWorkspace, type Workspace } from '../../engine/documents/workspace.ts'
import type { TestDatabase } from '../../helpers/databases.ts'

/** A shop with all that lists of surface A tell apart: links, rows, a tree, secrets, every kind of value. */
const DOCTYPES = `
doctype: Region
module: crm
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
  parent_region: {type: link, options: Region}
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
---
doctype: Purchase Note
module: sales
tier: free
submittable: true
naming: PN-{#####}
fields:
  buyer: {type: link, options: Buyer}
  status: {type: select, options: [Open, Paid, Late]}
  note: {type: data}
  story: {type: long_text}
  amount: {type: currency}
  share: {type: percent}
  count: {type: int}
  urgent: {type: check}
  day: {type: date}
  at: {type: datetime}
  hour: {type: time}
  extra: {type: json}
  code: {type: password}
  items: {type: table, options: Purchase Note Item}
  extras: {type: table, options: Purchase Note Item}
---
doctype: Purchase Note Item
child: true
module: sales
tier: free
fields:
  article: {type: data}
  qty: {type: float}
  origin: {type: link, options: Region}
  key: {type: password}
`

/** The shop, and its lists by the names of DocTypes. */
export interface Shop extends Workspace {
  rows(
    doctype: string,
    params?: Readonly<Record<string, unknown>>,
    more?: Partial<Context>,
  ): Promise<ListRow[]>
  count(
    doctype: string,
    params?: Readonly<Record<string, unknown>>,
    more?: Partial<Context>,
  ): Promise<number>
}

export async function openShop(database: TestDatabase, doctypes = DOCTYPES): Promise<Shop> {
  const workspace = await openWorkspace(database, doctypes)
  const definition = (name: string): DocTypeDefinition => workspace.definition(name)
  return {
    ...workspace,
    rows: (doctype, params = {}, more) =>
      listRecords(workspace.context(more), definition(doctype), params),
    count: (doctype, params = {}, more) =>
      countRecords(workspace.context(more), definition(doctype), params),
  }
}
