import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory, type Story } from './story.ts'

/** As many rows as a bill takes. */
const ADVANCES = 50

forEachDatabase('a bill that many advances pay', ({ test, fresh }) => {
  let story: Story
  test.before(async () => {
    story = await openStory(await fresh())
  })
  test.after(() => story.close())

  // On PostgreSQL each row once waited for what the row before it had asked for, and there was an end to that.
  test('takes all of them, each row with a query of its own', async () => {
    const supplier = await story.create('Supplier', { supplier_name: 'Many Parts GmbH' })
    await story.create('Item', { item_code: 'PART', item_name: 'Part', is_stock_item: false })
    const accounts = await story.all('Account')
    const of = (type: string) => accounts.find(({ account_type }) => account_type === type)!.id
    const paid = { account: of('Payable'), party_type: 'Supplier', party: supplier.id }
    await story.make('Journal Entry', {
      accounts: [
        ...Array.from({ length: ADVANCES }, (_, n) => ({ ...paid, debit: n + 1 })),
        { account: of('Bank'), credit: 1275 },
      ],
    })
    const items = [{ item_code: 'PART', qty: 1, rate: 1500 }]
    const { id } = await story.create('Purchase Invoice', { supplier: supplier.id, items })
    const { advances } = await story.act('Purchase Invoice', id, 'get_advances')
    assert.is(advances.length, ADVANCES)
    const bill = await story.submit('Purchase Invoice', id)
    // 1 + 2 + … + 50 = 1,275 of 1,500.
    assert.is(bill.outstanding_amount, 225)
  })
})
