import * as assert from 'uvu/assert'
import { verifyWorkspace } from '../../../engine/documents/verify/verify.ts'
import type { Report } from '../../../engine/documents/verify/verify-report.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { behindTheBack, failing, foundBy, put, SHOPS } from './verify-shops.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

const DAY = 86_400_000

forEachDatabase('svc verify of formulas and statuses', ({ test, create }) => {
  let workspace: Workspace
  const verify = (options = {}): Promise<Report> =>
    verifyWorkspace(workspace.engine.services, options)
  const shown = async (id: string) => (await workspace.get('Sale', id)).record

  test.before.each(async () => {
    workspace = await openWorkspace(await create(), SHOPS)
    await workspace.create('Chain', { name: 'North' })
    await workspace.create('Shop', { name: 'Oslo', chain: 'North' })
    for (const [name, due] of [
      ['S1', '2026-03-20'],
      ['S2', null],
    ]) {
      const items = [
        { qty: 2, rate: 30 },
        { qty: 1, rate: 7.5 },
      ]
      await workspace.create('Sale', { name, shop: 'Oslo', due, items })
    }
    await workspace.submit('Sale', 'S1')
  })
  test.after.each(() => workspace.close())

  test('names cells that do not follow from their document, rows by their place', async () => {
    await behindTheBack(
      workspace,
      `update sales__items set amount = 70000 where idx = 2`,
      `update sales set state = 'Due' where name = 'S2'`,
    )
    const { checks } = await verify()
    const differences = foundBy(checks)['Sale: formulas and status']!.map(
      ({ id, field, stored, expected }) => [id, field, stored, expected],
    )
    assert.equal(differences, [
      ['S1', 'items[1].amount', 7, 7.5],
      ['S2', 'items[1].amount', 7, 7.5],
      ['S2', 'state', 'Due', 'Draft'],
    ])
  })

  test('repairs drafts, and what follows from rollups in submitted documents', async () => {
    await behindTheBack(
      workspace,
      `update sales set total = 1, open = 1 where name = 'S2'`,
      `update sales set open = 1, state = 'Settled' where name = 'S1'`,
    )
    const { checks, repaired } = await verify({ repair: true })
    assert.equal(failing(checks), [])
    assert.equal(repaired, { rollups: 0, records: 2, made: 0 })
    const { total, open } = await shown('S2')
    assert.equal([total, open], [67.5, 67.5])
    const { open: due, state } = await shown('S1')
    assert.equal([due, state], [67.5, 'Due'])
  })

  test('leaves the amounts of a submitted document to a person: its postings were made from them', async () => {
    await behindTheBack(workspace, `update sales set total = 1 where name = 'S1'`)
    const { checks } = await verify({ repair: true })
    assert.equal(
      failing(checks).map(({ name }) => name),
      ['Sale: formulas and status'],
    )
    assert.is((await shown('S1')).total, 0.0001)
    const { turnover } = (await workspace.get('Shop', 'Oslo')).record
    assert.is(turnover, 0.0001)
  })

  test('a status that only the passing of days made old is stale, a wrong one is not', async () => {
    workspace.clock.time += 30 * DAY
    const lagging = await verify()
    assert.equal(failing(lagging.checks), [])
    assert.equal(foundBy(lagging.stale), {
      'Sale: formulas and status': [
        { doctype: 'Sale', id: 'S1', field: 'state', stored: 'Due', expected: 'Overdue' },
      ],
    })
    await behindTheBack(workspace, `update sales set state = 'Settled' where name = 'S1'`)
    const wrong = await verify()
    assert.equal(wrong.stale, [])
    assert.equal(foundBy(wrong.checks)['Sale: formulas and status'], [
      { doctype: 'Sale', id: 'S1', field: 'state', stored: 'Settled', expected: 'Overdue' },
    ])
  })

  test('a repair brings stale statuses to today', async () => {
    workspace.clock.time += 30 * DAY
    const { stale } = await verify({ repair: true })
    assert.equal(stale, [])
    assert.is((await shown('S1')).state, 'Overdue')
  })

  test('warns of submitted documents that a validation of today would refuse', async () => {
    const items = (row_id: string) => [
      { row_id, qty: 1_000_000n, rate: 20_000_000n, plan_line: null },
    ]
    await put(
      workspace,
      'Sale',
      { name: 'S3', docstatus: 1, items: items('a') },
      { name: 'S4', docstatus: 0, items: items('b') },
    )
    await put(workspace, 'Chain', { name: 'Closed' })
    await behindTheBack(workspace, `update shops set chain = 'Closed'`)
    await verify({ repair: true })
    const { checks, warnings } = await verify()
    assert.equal(failing(checks), [])
    assert.equal(foundBy(warnings), {
      'Sale: validate': [
        {
          doctype: 'Sale',
          id: 'S1',
          field: 'shop',
          stored: 'Oslo',
          message: 'belongs to a closed chain',
        },
        {
          doctype: 'Sale',
          id: 'S3',
          field: 'total',
          stored: 2000,
          message: 'is too much for a sale',
        },
      ],
    })
  })

  test('goes through more documents than one page', async () => {
    const many = Array.from({ length: 1203 }, (_, index) => ({ name: `M${index}` }))
    await put(workspace, 'Sale', ...many)
    await behindTheBack(
      workspace,
      `update sales set total = 1 where name in ('M499', 'M500', 'M1202')`,
    )
    const { checks } = await verify()
    const [check] = failing(checks)
    assert.is(check!.differences, 3)
    assert.equal(
      check!.found.map(({ id }) => id),
      ['M499', 'M500', 'M1202'],
    )
  })
})

const BOOKS = `
doctype: Entry
module: setup
tier: free
naming: prompt
fields:
  party: {type: data}
  kind: {type: select, options: [Debt, Other]}
  amount: {type: currency}
invariants:
  - name: debts are what the bills leave open
    by: [party, day]
    terms:
      - {from: Entry, where: 'kind == "Debt"', add: amount, by: {day: '"all"'}}
      - {from: Bill.lines, where: parent.docstatus == 1, subtract: qty * price, by: {party: parent.customer, day: '"all"'}}
      - {from: Bill, where: docstatus == 1, add: paid, by: {party: customer, day: '"all"'}}
  - name: every kind has as many entries as bills
    by: [kind, what]
    terms:
      - {from: Entry, add: '1', by: {what: 'kind + "s"'}}
      - {from: Bill, subtract: '1', by: {kind: 'docstatus == 1 ? "Debt" : "Other"', what: 'docstatus == 1 ? "Debts" : "Others"'}}
  - name: there are as many entries as bills
    terms:
      - {from: Entry, add: '1'}
      - {from: Bill, subtract: '1'}
---
doctype: Bill
module: setup
tier: free
naming: prompt
submittable: true
fields:
  customer: {type: data}
  paid: {type: currency}
  lines: {type: table, fields: {qty: {type: float}, price: {type: currency}}}
`

forEachDatabase('svc verify of invariants', ({ test, create }) => {
  let workspace: Workspace
  const found = async () => foundBy((await verifyWorkspace(workspace.engine.services)).checks)

  test.before.each(async () => {
    workspace = await openWorkspace(await create(), BOOKS)
    const lines = [
      { row_id: 'a', qty: 333_333n, price: 100_000n },
      { row_id: 'b', qty: -1_000_000n, price: 5_000n },
    ]
    await put(
      workspace,
      'Bill',
      { name: 'B1', docstatus: 1, customer: 'Ann', paid: 10_000n, lines },
      { name: 'B2', docstatus: 0, customer: 'Bob', paid: 70_000n, lines: [] },
    )
    // 0.333333 × 10 is kept as 3.3333, so Ann owes 3.3333 − 0.5 − 1.
    await put(
      workspace,
      'Entry',
      { name: 'E1', party: 'Ann', kind: 'Debt', amount: 18_333n },
      { name: 'E2', party: 'Bob', kind: 'Other', amount: 5n },
    )
  })
  test.after.each(() => workspace.close())

  test('is content where the terms add up to nothing', async () => {
    assert.equal(await found(), {})
  })

  test('names what the terms leave, for each value of by, an unset one too', async () => {
    await put(
      workspace,
      'Entry',
      { name: 'E3', party: null, kind: 'Debt', amount: 1n },
      { name: 'E4', party: 'Ann', kind: 'Debt', amount: -5n },
    )
    assert.equal(await found(), {
      'Entry: debts are what the bills leave open': [
        { doctype: 'Entry', id: 'party=, day=all', field: '', stored: 0.0001, expected: 0 },
        { doctype: 'Entry', id: 'party=Ann, day=all', field: '', stored: -0.0005, expected: 0 },
      ],
      'Entry: every kind has as many entries as bills': [
        { doctype: 'Entry', id: 'kind=Debt, what=Debts', field: '', stored: 2, expected: 0 },
      ],
      'Entry: there are as many entries as bills': [
        { doctype: 'Entry', id: '', field: '', stored: 2, expected: 0 },
      ],
    })
  })
})
