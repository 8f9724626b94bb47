import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { invalid, openWorkspace, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Region
module: crm
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
  tax: {type: percent}
---
doctype: Group
module: crm
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
  discount: {type: percent}
  region: {type: link, options: Region}
---
doctype: Buyer
module: crm
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
  group: {type: link, options: Group}
  bought: {type: float, rollup: {from: Deal.items, match: parent.buyer, sum: 'item.is_stock ? qty : 0', where: 'parent.docstatus == 1 && parent.buyer.group.discount > 0'}}
---
doctype: Part
module: stock
tier: free
naming: field:code
fields:
  code: {type: data, required: true}
  is_stock: {type: check}
  colour: {type: select, options: [Red, Blue]}
  cost: {type: currency}
---
doctype: Shelf
module: stock
tier: free
naming: "{part}::{store}"
fields:
  part: {type: link, options: Part, required: true}
  store: {type: data, required: true}
  qty: {type: float}
  worth: {type: currency}
  region: {type: link, options: Region}
---
doctype: Tariff
module: sales
tier: free
naming: "T-{###}"
fields:
  part: {type: link, options: Part, filterable: true}
  since: {type: date}
  rate: {type: currency}
  open: {type: check}
  hint: {type: data}
---
doctype: Deal
module: sales
tier: free
submittable: true
naming: "D-{###}"
find:
  last: {from: Deal, where: 'buyer == this.buyer && docstatus == 1', latest: day}
fields:
  buyer: {type: link, options: Buyer}
  group: {type: link, options: Group}
  day: {type: date, default: today()}
  agreed: {type: percent, default: buyer.group.discount}
  discount: {type: percent, formula: buyer.group.discount}
  tax: {type: percent, formula: buyer.group.region.tax}
  note: {type: data}
  last_day: {type: date, formula: last.day}
  items:
    type: table
    find:
      shelf: {from: Shelf, match: {part: item, store: store}, at: submit}
      tariff: {from: Tariff, where: [part == this.item, since <= parent.day], latest: since, at: create, renew: item != old.item}
      earlier: {from: Deal.items, where: 'item == this.item && document.docstatus == 1', latest: document.day}
    fields:
      item: {type: link, options: Part, required: true}
      store: {type: data}
      qty: {type: float, default: 1}
      red: {type: check, formula: 'item.colour == "Red"'}
      rate: {type: currency, formula: 'tariff.rate * (100 - parent.buyer.group.discount) / 100'}
      rate_hint: {type: data, formula: 'tariff.open ? tariff.hint : ""'}
      left: {type: float, formula: 'shelf.name == "" ? -1 : shelf.qty - qty'}
      shelf_tax: {type: percent, formula: shelf.region.tax}
      sold_on: {type: date, formula: earlier.document.day}
      sold_for: {type: currency, formula: earlier.rate}
  stocked: {type: float, formula: "items.filter(i, i.item.is_stock).sum(i, i.qty)"}
  worth: {type: currency, readOnly: true}
status:
  field: state
  derive: {Loyal: docstatus == 1 && buyer.group.discount > 10, Plain: "true"}
validate:
  - {check: 'buyer.group.region.title != "Nowhere"', field: buyer, message: 'lives in {buyer.group.region.title}'}
  - {each: items, check: 'parent.docstatus == 0 || shelf.qty >= 0', field: qty, message: 'only {shelf.qty} left'}
effects:
  submit:
    - set: {worth: "items.sum(i, i.shelf.worth)"}
`

type Row = Readonly<Record<string, unknown>>

forEachDatabase('looking through links and finds', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
    const make = (doctype: string, body: object) => workspace.create(doctype, body)
    await make('Region', { title: 'North', tax: 19 })
    await make('Region', { title: 'Nowhere', tax: 0 })
    await make('Group', { title: 'Gold', discount: 20, region: 'North' })
    await make('Group', { title: 'Odd', region: 'Nowhere' })
    await make('Buyer', { title: 'Ann', group: 'Gold' })
    await make('Buyer', { title: 'Bob', group: 'Odd' })
    await make('Part', { code: 'BOLT', is_stock: true, colour: 'Red', cost: 2 })
    await make('Part', { code: 'HELP', colour: 'Blue' })
    await make('Shelf', { part: 'BOLT', store: 'Main', qty: 7, worth: 14, region: 'North' })
    await make('Tariff', { part: 'BOLT', since: '2026-01-01', rate: 5, open: true, hint: 'new' })
    await make('Tariff', { part: 'BOLT', since: '2026-02-01', rate: 6, hint: 'spring' })
    await make('Tariff', { part: 'HELP', since: '2026-12-01', rate: 9 })
  })
  test.after(() => workspace.close())

  const deal = async (body: object): Promise<Row> =>
    (await workspace.create('Deal', { buyer: 'Ann', ...body })).record
  const rowsOf = (record: Row): readonly Row[] => record.items as readonly Row[]

  test('a formula reads through links, up to three of them, in rows, macros and of the document', async () => {
    const record = await deal({
      items: [
        { item: 'BOLT', qty: 3 },
        { item: 'HELP', qty: 2 },
      ],
    })
    assert.equal([record.discount, record.tax, record.stocked], [20, 19, 3])
    assert.equal(
      rowsOf(record).map(({ red }) => red),
      [true, false],
    )
  })

  test('what it reads follows the masters while the record is a draft, and is frozen at submit', async () => {
    const { id } = await workspace.create('Deal', { buyer: 'Ann', items: [{ item: 'BOLT' }] })
    await workspace.update('Group', 'Gold', { discount: 30 })
    const draft = await workspace.update('Deal', id, { note: 'x' })
    assert.equal([draft.record.discount, rowsOf(draft.record)[0]!.rate], [30, 4.2])
    assert.is(draft.record.state, 'Plain')
    const done = await workspace.submit('Deal', id)
    assert.equal([done.record.discount, done.record.state], [30, 'Loyal'])
    await workspace.update('Group', 'Gold', { discount: 20 })
    const [verified] = await Promise.all([workspace.get('Deal', id)])
    assert.equal([verified.record.discount, verified.record.state], [30, 'Loyal'])
    await workspace.cancel('Deal', id)
    assert.is((await workspace.get('Deal', id)).record.discount, 30)
  })

  test('at one moment a link leads to the record as it is now, through three links too', async () => {
    assert.is((await deal({ items: [] })).agreed, 20)
    const error = await invalid(['buyer'], deal({ buyer: 'Bob', items: [] }))
    assert.is(error.details![0]!.message, 'lives in Nowhere')
  })

  test('a find gives the fields of one record, at its moment, and empty values where there is none', async () => {
    const { id, record } = await workspace.create('Deal', {
      buyer: 'Ann',
      day: '2026-03-01',
      items: [
        { item: 'BOLT', store: 'Main', qty: 2 },
        { item: 'BOLT', store: 'None', qty: 2 },
        { item: 'HELP', qty: 2 },
      ],
    })
    assert.equal(
      rowsOf(record).map(({ rate }) => rate),
      [4.8, 4.8, 0],
    )
    assert.equal(
      rowsOf(record).map(({ left }) => left),
      [-1, -1, -1],
    )
    const { record: done } = await workspace.submit('Deal', id)
    assert.equal(
      rowsOf(done).map(({ left }) => left),
      [5, -1, -1],
    )
    assert.equal(
      rowsOf(done).map(({ shelf_tax: tax }) => tax),
      [19, 0, 0],
    )
    assert.is(done.worth, 14)
    await workspace.update('Shelf', 'BOLT::Main', { qty: 9 })
    assert.is(rowsOf((await workspace.get('Deal', id)).record)[0]!.left, 5)
    await workspace.update('Shelf', 'BOLT::Main', { qty: 7 })
    await workspace.cancel('Deal', id)
  })

  test('a find of create stays with what it found, and searches anew when it says so', async () => {
    const { id, record } = await workspace.create('Deal', {
      buyer: 'Ann',
      day: '2026-01-15',
      items: [{ item: 'BOLT' }],
    })
    assert.equal([rowsOf(record)[0]!.rate, rowsOf(record)[0]!.rate_hint], [4, 'new'])
    const [row] = rowsOf((await workspace.update('Deal', id, { day: '2026-02-15' })).record)
    assert.is(row!.rate, 4)
    const other = { row_id: row!.row_id, item: 'HELP' }
    assert.is(rowsOf((await workspace.update('Deal', id, { items: [other] })).record)[0]!.rate, 0)
    const back = { row_id: row!.row_id, item: 'BOLT' }
    const again = rowsOf((await workspace.update('Deal', id, { items: [back] })).record)[0]!
    assert.equal([again.rate, again.rate_hint], [4.8, null])
  })

  test('a find over rows gives fields of the row and of its document', async () => {
    const first = await workspace.create('Deal', {
      buyer: 'Ann',
      day: '2026-02-10',
      items: [{ item: 'BOLT', store: 'Main' }],
    })
    await workspace.submit('Deal', first.id)
    const record = await deal({ items: [{ item: 'BOLT' }, { item: 'HELP' }] })
    assert.is(record.last_day, '2026-02-10')
    assert.equal(
      rowsOf(record).map((row) => [row.sold_on, row.sold_for]),
      [
        ['2026-02-10', 4.8],
        [null, 0],
      ],
    )
    assert.is((await workspace.get('Buyer', 'Ann')).record.bought, 1)
    await workspace.cancel('Deal', first.id)
    assert.is((await workspace.get('Buyer', 'Ann')).record.bought, 0)
  })

  test('no made column is in an answer, and none can be sent', async () => {
    const record = await deal({ items: [{ item: 'BOLT' }] })
    const names = [...Object.keys(record), ...rowsOf(record).flatMap(Object.keys)]
    assert.equal(
      names.filter((name) => name.includes('__')),
      [],
    )
    await invalid(['buyer__group'], deal({ buyer__group: 'Gold' }))
    await invalid(['items[0].shelf__qty'], deal({ items: [{ item: 'BOLT', shelf__qty: 3 }] }))
  })

  test('an amendment searches and looks anew', async () => {
    const { id } = await workspace.create('Deal', {
      buyer: 'Ann',
      day: '2026-01-15',
      items: [{ item: 'BOLT', store: 'Main' }],
    })
    await workspace.submit('Deal', id)
    await workspace.cancel('Deal', id)
    await workspace.update('Group', 'Gold', { discount: 50 })
    const { record } = await workspace.amend('Deal', id)
    assert.equal([record.discount, rowsOf(record)[0]!.rate, rowsOf(record)[0]!.left], [50, 2.5, -1])
    await workspace.update('Group', 'Gold', { discount: 20 })
  })
})
