import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { invalid, openWorkspace, refused, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Customer
module: crm
tier: free
naming: field:code
fields:
  code: {type: data, required: true}
  title: {type: data}
  rate: {type: float, scale: 2}
  limit_amount: {type: currency}
---
doctype: Order
module: sales
tier: free
submittable: true
naming: "ORD-{###}"
fields:
  customer: {type: link, options: Customer}
  always_title: {type: data, fetch: {from: customer.title, at: always}}
  draft_title: {type: data, fetch: customer.title}
  empty_title: {type: data, fetch: {from: customer.title, when: empty}}
  rate: {type: float, fetch: {from: customer.rate, when: empty}}
  posting: {type: date, default: today()}
  due: {type: date, default: "add_days(posting, 30)"}
  level: {type: select, options: [Low, High], default: Low}
  open: {type: check, default: true}
  by: {type: data, default: user.name}
  factor: {type: int, default: 2}
  reason: {type: data, required_when: 'level == "High"'}
  lines:
    type: table
    options: Order Line
    fields:
      article: {type: link, options: Customer}
      title: {type: data, fetch: {from: article.title, when: empty}}
      qty: {type: float, default: parent.factor}
      price: {type: currency, default: "qty > 1 ? 10 : 20"}
      amount: {type: currency, formula: "qty * price"}
      share: {type: percent, formula: "parent.net == 0 ? 0 : amount * 100 / parent.net"}
      note: {type: data, required_when: 'qty > 100 && parent.level == "Low"'}
  net: {type: currency, formula: "lines.sum(l, l.amount)"}
  count_big: {type: int, formula: "lines.count(l, l.qty >= 5)"}
  gross: {type: currency, formula: "net + tax"}
  tax: {type: currency, formula: "net * 19 / 100"}
  was: {type: currency, formula: "old.net"}
  quotient: {type: float, formula: "factor == 0 ? 0 : net / factor"}
status:
  field: status
  derive:
    Cancelled: docstatus == 2
    Submitted: docstatus == 1
    Big: gross > 100
    Draft: "true"
validate:
  - {check: due >= posting, field: due, message: is before the posting}
  - {check: "net <= 1000", field: lines, message: too much, during: [submit]}
  - {check: 'level != "High" || open', field: open, message: must be open, during: [create]}
---
doctype: Ticket
module: support
tier: free
naming: "T-{###}"
fields:
  title: {type: data}
status:
  field: state
  initial: Open
  flow:
    Open: [Working, Closed]
    Working: [Open, Closed]
    Closed: []
`

type Row = Readonly<Record<string, unknown>>

forEachDatabase('what a document computes', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
    await workspace.create('Customer', { code: 'C1', title: 'First', rate: 1.25 })
    await workspace.create('Customer', { code: 'C2', title: 'Second' })
  })
  test.after(() => workspace.close())

  const order = async (body: object): Promise<Row> => (await workspace.create('Order', body)).record
  const pick = (record: Row, ...names: string[]): unknown[] => names.map((name) => record[name])
  const rowsOf = ({ lines }: Row): readonly Row[] => lines as readonly Row[]

  test('fills defaults: literals, today, the user, and what another default gave', async () => {
    assert.equal(pick(await order({}), 'posting', 'due', 'level', 'open', 'by', 'factor'), [
      '2026-03-09',
      '2026-04-08',
      'Low',
      true,
      'Administrator',
      2,
    ])
    const sent = await order({ posting: '2026-01-31', level: 'High', reason: 'r', factor: 0 })
    assert.equal(pick(sent, 'posting', 'due', 'factor'), ['2026-01-31', '2026-03-02', 0])
  })

  test('takes false and 0 for values, and fills null where a default is', async () => {
    assert.equal(pick(await order({ open: false, factor: 0 }), 'open', 'factor'), [false, 0])
    assert.equal(pick(await order({ open: null, level: null }), 'open', 'level'), [true, 'Low'])
  })

  test('leaves unset on update what was unset: defaults are of the creation', async () => {
    const { id } = await order({})
    const { record } = await workspace.update('Order', String(id), { by: null, level: null })
    assert.equal(pick(record, 'by', 'level'), [null, null])
  })

  test('fills rows that are new, from the row and from the document', async () => {
    const record = await order({ factor: 3, lines: [{}, { qty: 1 }] })
    assert.equal(
      rowsOf(record).map((row) => pick(row, 'qty', 'price', 'amount')),
      [
        [3, 10, 30],
        [1, 20, 20],
      ],
    )
    const [first] = rowsOf(record)
    const changed = await workspace.update('Order', String(record.id), {
      factor: 4,
      lines: [{ row_id: first!.row_id, qty: null }, {}],
    })
    assert.equal(
      rowsOf(changed.record).map((row) => row.qty),
      [null, 4],
    )
  })

  test('formulas follow each other in the order of their dependencies, rows and document', async () => {
    const record = await order({
      lines: [
        { qty: 2.5, price: 8.13 },
        { qty: 7, price: 1.005 },
      ],
    })
    assert.equal(
      rowsOf(record).map(({ amount }) => amount),
      [20.33, 7.04],
    )
    assert.equal(pick(record, 'net', 'tax', 'gross', 'count_big'), [27.37, 5.2, 32.57, 1])
    assert.equal(
      rowsOf(record).map(({ share }) => share),
      [74.278407, 25.721593],
    )
    const { record: after } = await workspace.update('Order', String(record.id), { lines: [] })
    assert.equal(pick(after, 'net', 'gross', 'count_big', 'was'), [0, 0, 0, 27.37])
  })

  test('a value nobody set is 0 or empty inside an expression', async () => {
    const { id, lines } = await order({ lines: [{ qty: 2, price: 3 }] })
    const [{ row_id }] = lines as [Row]
    const { record } = await workspace.update('Order', String(id), {
      factor: null,
      lines: [{ row_id, qty: null, price: null }],
    })
    assert.equal(
      rowsOf(record).map((row) => pick(row, 'qty', 'price', 'amount', 'share')),
      [[null, null, 0, 0]],
    )
    assert.equal(pick(record, 'net', 'gross', 'count_big', 'quotient'), [0, 0, 0, 0])
  })

  test('fetches: always, while a draft, and only where empty', async () => {
    const made = await order({
      customer: 'C1',
      lines: [{ article: 'C1' }, { article: 'C1', title: 'Own' }],
    })
    const id = String(made.id)
    assert.equal(pick(made, 'always_title', 'draft_title', 'empty_title', 'rate'), [
      'First',
      'First',
      'First',
      1.25,
    ])
    assert.equal(
      rowsOf(made).map(({ title }) => title),
      ['First', 'Own'],
    )
    await workspace.update('Customer', 'C1', { title: 'Renamed' })
    const { record: draft } = await workspace.update('Order', id, { level: 'Low' })
    assert.equal(pick(draft, 'always_title', 'draft_title', 'empty_title'), [
      'Renamed',
      'Renamed',
      'First',
    ])
    await workspace.submit('Order', id)
    await workspace.update('Customer', 'C1', { title: 'First' })
    const { record: cancelled } = await workspace.cancel('Order', id)
    assert.equal(pick(cancelled, 'always_title', 'draft_title', 'empty_title'), [
      'First',
      'Renamed',
      'First',
    ])
  })

  test('fetched values go with the link: another record, or none', async () => {
    const { id } = await order({ customer: 'C1' })
    const { record: second } = await workspace.update('Order', String(id), { customer: 'C2' })
    assert.equal(pick(second, 'draft_title', 'empty_title', 'rate'), ['Second', 'First', 1.25])
    const { record: none } = await workspace.update('Order', String(id), { customer: null })
    assert.equal(pick(none, 'always_title', 'draft_title', 'empty_title'), [null, null, 'First'])
  })

  test('computed fields cannot be sent, unless the fetch only fills what is empty', async () => {
    const fields = ['always_title', 'draft_title', 'net', 'gross', 'status', 'was']
    const body = Object.fromEntries(fields.map((field) => [field, 1]))
    await invalid(fields, order(body))
    await invalid(
      ['lines[0].amount', 'lines[0].share'],
      order({ lines: [{ amount: 1, share: 2 }] }),
    )
    assert.is((await order({ customer: 'C1', empty_title: 'mine' })).empty_title, 'mine')
  })

  test('the derived status is the first that holds', async () => {
    assert.is((await order({})).status, 'Draft')
    const big = await order({ lines: [{ qty: 20, price: 10 }] })
    assert.is(big.status, 'Big')
    assert.is((await workspace.submit('Order', String(big.id))).record.status, 'Submitted')
    assert.is((await workspace.cancel('Order', String(big.id))).record.status, 'Cancelled')
  })

  test('required_when asks for a value while it holds, in rows too', async () => {
    const error = await invalid(['reason'], order({ level: 'High' }))
    assert.match(error.message, 'is required when Level is High')
    await invalid(['lines[1].note'], order({ lines: [{}, { qty: 101 }] }))
    await order({ level: 'High', reason: 'r', lines: [{ qty: 101 }] })
    const { id } = await order({})
    await invalid(['reason'], workspace.update('Order', String(id), { level: 'High' }))
  })

  test('validate refuses with its field and message, when it is meant to', async () => {
    const error = await invalid(['due'], order({ posting: '2026-02-01', due: '2026-01-31' }))
    assert.equal(error.details, [{ field: 'due', message: 'is before the posting', code: 'rule' }])
    const { id } = await order({ lines: [{ qty: 100, price: 11 }] })
    await invalid(['lines'], workspace.submit('Order', String(id)))
    await invalid(['open'], order({ level: 'High', reason: 'r', open: false }))
    const { id: later } = await order({ open: false })
    await workspace.update('Order', String(later), { level: 'High', reason: 'r' })
  })

  test('a chosen status starts at its initial one and moves along the flow only', async () => {
    const { id, record } = await workspace.create('Ticket', {})
    assert.is(record.state, 'Open')
    assert.is((await workspace.update('Ticket', id, { state: 'Working' })).record.state, 'Working')
    assert.is((await workspace.update('Ticket', id, { state: 'Working' })).record.state, 'Working')
    await workspace.update('Ticket', id, { state: 'Closed' })
    const error = await invalid(['state'], workspace.update('Ticket', id, { state: 'Open' }))
    assert.match(error.message, 'cannot go from Closed to Open: it is final')
    await invalid(['state'], workspace.update('Ticket', id, { state: null }))
    await invalid(['state'], workspace.update('Ticket', id, { state: 'Nowhere' }))
    await workspace.update('Ticket', id, { title: 'still closed' })
  })

  test('what overflows is a problem of its field, never more', async () => {
    const huge = 99_999_999_999_999
    const row = { qty: 1, price: huge, note: 'n' }
    await order({ factor: 1000, lines: [row] })
    const product = await refused('VALIDATION_ERROR', order({ lines: [{ ...row, qty: 9e11 }] }))
    assert.ok(product.details?.some(({ field }) => field === 'lines[0].amount'))
    const sum = await refused('VALIDATION_ERROR', order({ lines: Array(10).fill(row) }))
    assert.ok(sum.details?.some(({ field }) => field === 'net'))
  })
})
