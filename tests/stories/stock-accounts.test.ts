import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedFor, type Story } from './story.ts'

/** What the stock is worth stands on the stock accounts alone: nothing else may be booked on them. */
forEachDatabaseWhenDeep('the other side of what stock documents book', ({ test, fresh }) => {
  let story: Story
  const STOCK = 'Stock In Hand'
  /** What each refusal speaks of. */
  const KIND = 'another kind than Stock'
  let customer: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    await story.create('Item', { item_code: 'CHAIR', item_name: 'Chair', standard_rate: 50 })
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      items: [{ item_code: 'CHAIR', qty: 10, basic_rate: 20, t_warehouse: 'Stores' }],
    })
  })
  test.after(() => story.close())

  const items = [{ item_code: 'CHAIR', qty: 1 }]

  test('is no stock account that a document names', async () => {
    await refusedFor(
      'items',
      KIND,
      story.create('Delivery Note', {
        customer,
        items: [{ ...items[0], expense_account: STOCK }],
      }),
    )
    await refusedFor(
      'cogs_account',
      KIND,
      story.create('Delivery Note', { customer, items, cogs_account: STOCK }),
    )
    await refusedFor(
      'expense_account',
      KIND,
      story.create('Stock Entry', {
        stock_entry_type: 'Material Issue',
        from_warehouse: 'Stores',
        items,
        expense_account: STOCK,
      }),
    )
    await refusedFor(
      'expense_account',
      KIND,
      story.create('Stock Reconciliation', {
        items: [{ item_code: 'CHAIR', warehouse: 'Stores', qty: 9 }],
        expense_account: STOCK,
      }),
    )
  })

  test('is none of the item or the company either', async () => {
    await refusedFor(
      'expense_account',
      KIND,
      story.update('Item', 'CHAIR', { expense_account: STOCK }),
    )
    const [company] = await story.all('Company', {})
    const account = company!.stock_adjustment_account
    await story.update('Company', company!.id, { stock_adjustment_account: STOCK })
    await refusedFor('company', KIND, story.make('Delivery Note', { customer, items }))
    await story.update('Company', company!.id, { stock_adjustment_account: account })
    await story.make('Delivery Note', { customer, items })
  })

  test('stays the one that the stock of a warehouse is booked on', async () => {
    const account = 'Stock at the Harbour'
    const parent_account = (await story.get('Account', STOCK)).parent_account
    await story.create('Account', {
      account_name: account,
      parent_account,
      root_type: 'Asset',
      account_type: 'Stock',
    })
    await refusedFor(
      'account',
      'while there is stock',
      story.update('Warehouse', 'Stores', { account }),
    )
    await story.create('Warehouse', { warehouse_name: 'Harbour', account })
    await story.update('Warehouse', 'Harbour', { account: null })
    await story.update('Warehouse', 'Harbour', { account })
    // 2 of 20 each; the transfer is booked, since the accounts differ
    const move = await story.make('Stock Entry', {
      stock_entry_type: 'Material Transfer',
      from_warehouse: 'Stores',
      to_warehouse: 'Harbour',
      items: [{ item_code: 'CHAIR', qty: 2 }],
    })
    assert.equal(await story.books(move.id), { [account]: 40, [STOCK]: -40 })
    await refusedFor(
      'account_type',
      'once stock is booked',
      story.update('Account', account, { account_type: 'Fixed Asset' }),
    )
    await refusedFor(
      'account',
      'while there is stock',
      story.update('Warehouse', 'Harbour', { account: null }),
    )
    await story.make('Delivery Note', {
      customer,
      items: [{ item_code: 'CHAIR', qty: 2, warehouse: 'Harbour' }],
    })
    await story.update('Warehouse', 'Harbour', { account: null })
    assert.equal(await story.differences(), [])
  })

  test('is no stock account of a tax that is part of what the goods are worth', async () => {
    const supplier = (await story.create('Supplier', { supplier_name: 'Carpenter' })).id
    const freight = {
      category: 'Valuation and Total',
      charge_type: 'Actual',
      charge_amount: 5,
      description: 'Freight',
    }
    const receipt = { supplier, set_warehouse: 'Stores', items: [{ ...items[0], rate: 20 }] }
    await refusedFor(
      'account',
      'kept by stock documents alone',
      story.make('Purchase Receipt', { ...receipt, taxes: [{ ...freight, account_head: STOCK }] }),
    )
    const received = await story.make('Purchase Receipt', {
      ...receipt,
      taxes: [{ ...freight, account_head: 'Freight Paid' }],
    })
    await refusedFor(
      'taxes',
      KIND,
      story
        .draftOf('Purchase Receipt', received.id, 'make_landed_cost_voucher', {
          amount: 7,
          expense_account: STOCK,
        })
        .then(({ id }) => story.submit('Landed Cost Voucher', id)),
    )
    assert.equal(await story.differences(), [])
  })
})
