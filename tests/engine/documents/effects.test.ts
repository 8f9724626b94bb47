import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openTrade } from './trading.ts'
import { eventsOf, invalid, refused, type Workspace } from './workspace.ts'

forEachDatabase('the effects of a submit', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openTrade(await create())
    await workspace.create('Customer', { customer_name: 'Ann' })
  })
  test.after(() => workspace.close())

  const invoice = (more: object = {}) =>
    workspace.create('Invoice', {
      customer: 'Ann',
      items: [
        { item: 'A', qty: 2.5, rate: 8.13 },
        { item: 'B', qty: 7, rate: 1.005, account: 'Service' },
        { item: 'C', qty: 1, rate: 10 },
      ],
      ...more,
    })

  async function rowsOf(voucher: string): Promise<readonly Record<string, unknown>[]> {
    const { data } = await workspace.list('GL Entry', {
      voucher_no: voucher,
      sort: 'created',
      limit: '100',
      fields: 'id,account,debit,credit,own_debit,own_credit,reverses,posting_date,party',
    })
    return data as readonly Record<string, unknown>[]
  }

  test('posts rows that are grouped, balanced and tied to their document', async () => {
    const { id } = await invoice({ template: 'VAT 20 %' })
    const { record } = await workspace.submit('Invoice', id)
    // 2.5 × 8.13 = 20.325 → 20.33; 7 × 1.005 = 7.035 → 7.04; 10 → net 37.37, VAT 7.474 → 7.47, total 44.84
    assert.is(record.total, 44.84)
    const rows = (await rowsOf(id)).map(({ account, debit, credit }) => [account, debit, credit])
    assert.equal(rows.toSorted(), [
      ['Debtors', 44.84, 0],
      ['Sales', 0, 30.33],
      ['Service', 0, 7.04],
      ['VAT', 0, 7.47],
    ])
    for (const { debit, credit, own_debit, own_credit } of await rowsOf(id))
      assert.equal([own_debit, own_credit], [debit, credit])
  })

  test('are taken back by mirror rows, copied from what was stored', async () => {
    const { id } = await invoice()
    await workspace.submit('Invoice', id)
    const before = await rowsOf(id)
    await workspace.cancel('Invoice', id)
    const rows = await rowsOf(id)
    assert.is(rows.length, before.length * 2)
    for (const row of before) {
      const mirror = rows.find(({ reverses }) => reverses === row.id)
      assert.equal(
        [mirror?.account, mirror?.debit, mirror?.credit],
        [row.account, row.credit, row.debit],
      )
      assert.equal([mirror?.own_debit, mirror?.own_credit], [row.own_credit, row.own_debit])
      assert.is(mirror?.posting_date, '2026-03-09')
    }
  })

  test('are taken back today where the ledger says so, and what lies ahead on the day it is for', async () => {
    const days: unknown[] = []
    for (const posting_date of ['2026-03-08', '2026-03-10']) {
      const { id } = await invoice({ posting_date })
      await workspace.submit('Invoice', id)
      await workspace.cancel('Invoice', id)
      const mirrors = (await rowsOf(id)).filter(({ reverses }) => reverses !== null)
      days.push([...new Set(mirrors.map((mirror) => mirror.posting_date))])
    }
    assert.equal(days, [['2026-03-09'], ['2026-03-10']])
  })

  test('a negative amount moves to the other side, so a return posts like a sale', async () => {
    const { id } = await workspace.create('Invoice', {
      customer: 'Ann',
      items: [{ item: 'A', qty: -2, rate: 5 }],
    })
    await invalid(['outstanding'], workspace.submit('Invoice', id))
  })

  test('a row that its ledger does not take refuses the whole submit', async () => {
    const { id } = await invoice({ debit_to: 'Assets' })
    const error = await invalid(['account'], workspace.submit('Invoice', id))
    assert.match(error.message, /posting to GL Entry: is a group/)
    assert.is((await workspace.get('Invoice', id)).record.docstatus, 0)
    assert.equal(await rowsOf(id), [])
  })

  test('nobody writes a ledger but the engine, not even with SQL', async () => {
    await refused('FORBIDDEN', workspace.create('GL Entry', { account: 'Sales', debit: 1 }))
    for (const statement of ['update gl_entries set debit = 1', 'delete from gl_entries']) {
      try {
        await workspace.engine.services.database.write((tx) => sql.raw(statement).execute(tx))
        assert.unreachable(statement)
      } catch (error) {
        assert.match((error as Error).message, /only ever added/)
      }
    }
  })

  test('a cancelled document that left rows in a ledger cannot be deleted', async () => {
    const { id } = await invoice()
    await workspace.submit('Invoice', id)
    await workspace.cancel('Invoice', id)
    await refused('CONFLICT', workspace.remove('Invoice', id))
  })

  test('defaults come from the company, through links and by conditions', async () => {
    const { record } = await invoice({ template: 'VAT 20 %' })
    assert.equal([record.company, record.currency, record.debit_to], ['Acme', 'EUR', 'Debtors'])
    const [tax] = record.taxes as readonly Record<string, unknown>[]
    assert.equal([tax?.account, tax?.rate, tax?.amount], ['VAT', 20, 7.47])
  })

  test('stock: balances are made by the ledger, valued by moving average, never below zero', async () => {
    const move = (...items: object[]) =>
      workspace.create('Move', { items }).then(({ id }) => workspace.submit('Move', id))
    await move(
      { item: 'A', place: 'X', qty: 10, rate: 5 },
      { item: 'B', place: 'X', qty: 1, rate: 2 },
    )
    await move({ item: 'A', place: 'X', qty: 10, rate: 8 })
    const bin = async () => (await workspace.get('Bin', 'A::X')).record
    // 10 × 5 + 10 × 8 = 130 over 20
    assert.equal(
      [(await bin()).qty, (await bin()).value, (await bin()).valuation_rate],
      [20, 130, 6.5],
    )
    const out = await move({ item: 'A', place: 'X', qty: -4 })
    assert.is((out.record.items as { value: number }[])[0]?.value, -26)
    assert.equal([(await bin()).qty, (await bin()).value], [16, 104])
    const { id } = await workspace.create('Move', { items: [{ item: 'A', place: 'X', qty: -17 }] })
    const error = await invalid(['qty'], workspace.submit('Move', id))
    assert.match(error.message, /Bin A::X: not enough stock/)
    await workspace.cancel('Move', out.id)
    assert.equal(
      [(await bin()).qty, (await bin()).value, (await bin()).valuation_rate],
      [20, 130, 6.5],
    )
    await refused('FORBIDDEN', workspace.create('Bin', { item: 'Q' }))
  })

  test('rows bear the date of their document, mirror rows too', async () => {
    const { id } = await workspace.create('Move', {
      posting_date: '2026-02-03',
      items: [{ item: 'D', place: 'X', qty: 1, rate: 1 }],
    })
    await workspace.submit('Move', id)
    await workspace.cancel('Move', id)
    const { data } = await workspace.list('Stock Row', {
      voucher_no: id,
      fields: 'posting_date,qty',
    })
    assert.equal(data.map(({ posting_date, qty }) => `${posting_date} ${qty}`).toSorted(), [
      '2026-02-03 -1',
      '2026-02-03 1',
    ])
  })

  test('a balance that is made late starts from the rows that waited for it', async () => {
    const wish = (qty: number) => workspace.create('Wish', { item: 'L', place: 'Y', qty })
    const first = await wish(3)
    await wish(4)
    const { id } = await workspace.create('Move', {
      items: [{ item: 'L', place: 'Y', qty: 1, rate: 2 }],
    })
    await workspace.submit('Move', id)
    const wanted = async () => (await workspace.get('Bin', 'L::Y')).record.wanted
    assert.is(await wanted(), 7)
    await wish(0.5)
    await workspace.remove('Wish', first.id)
    assert.is(await wanted(), 4.5)
  })

  test('the journal: what a submit created and set is undone by the cancel, backwards', async () => {
    const { id } = await workspace.create('Move', {
      note: 'count it',
      items: [{ item: 'J', place: 'X', qty: 1, rate: 1 }],
    })
    const { record } = await workspace.submit('Move', id)
    assert.is(record.note_set, 'set by submit')
    const { data } = await workspace.list('Task', { fields: 'id,subject,docstatus,move' })
    assert.equal(
      data.map(({ subject, docstatus, move }) => [subject, docstatus, move]),
      [[`Check ${id}`, 1, id]],
    )
    const cancelled = await workspace.cancel('Move', id)
    assert.is(cancelled.record.note_set, null)
    assert.is((await workspace.get('Task', String(data[0]!.id))).record.docstatus, 2)
    assert.equal(await eventsOf(workspace, String(data[0]!.id)), [
      'created',
      'submitted',
      'cancelled',
    ])
  })

  test('look-ups by condition take the latest record, and callers may say otherwise', async () => {
    for (const [date, rate] of [
      ['2026-01-01', 1.1],
      ['2026-03-01', 1.25],
      ['2026-06-01', 9],
    ] as const) {
      await workspace.create('Rate', { from_currency: 'USD', date, rate })
    }
    const { record } = await workspace.create('Quote', { currency: 'USD' })
    assert.equal([record.rate, record.base], [1.25, 125])
    assert.is((await workspace.create('Quote', { currency: 'USD', rate: 2 })).record.rate, 2)
    assert.is((await workspace.create('Quote', { currency: 'JPY' })).record.rate, null)
    assert.is(
      (await workspace.create('Quote', { currency: 'USD', day: '2026-02-01' })).record.rate,
      1.1,
    )
  })
})
