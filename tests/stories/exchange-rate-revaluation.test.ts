import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep(
  'balances in other currencies are brought to the rates of a day',
  ({ test, fresh }) => {
    let story: Story

    test.before(async () => {
      story = await openStory(await fresh())
      for (const [date, exchange_rate] of [
        ['2026-03-01', 1.1],
        ['2026-03-05', 1.08],
      ])
        await story.create('Currency Exchange', {
          date,
          from_currency: 'EUR',
          to_currency: 'USD',
          exchange_rate,
        })
      await story.create('Account', {
        account_name: 'Bank EUR',
        account_currency: 'EUR',
        root_type: 'Asset',
        account_type: 'Bank',
        parent_account: 'Current Assets',
      })
      // 100 € at 1.10
      await story.make('Journal Entry', {
        posting_date: '2026-03-04',
        accounts: [
          { account: 'Bank EUR', debit: 100 },
          { account: 'Bank', credit: 110 },
        ],
      })
    })
    test.after(() => story.close())

    const fetched = async (): Promise<Shown> => {
      const { id } = await story.create('Exchange Rate Revaluation', {})
      return story.act('Exchange Rate Revaluation', id, 'fetch_accounts')
    }

    test('the difference is gain or loss, until the revaluation is cancelled', async () => {
      const draft = await fetched()
      const [row, ...others] = draft.accounts
      assert.equal(others, [])
      assert.equal(
        [
          row.account,
          row.account_currency,
          row.balance_in_account_currency,
          row.balance_in_base_currency,
        ],
        ['Bank EUR', 'EUR', 100, 110],
      )
      // 100 × 1.08 − 110
      assert.equal(
        [row.current_exchange_rate, row.new_exchange_rate, row.gain_loss],
        [1.1, 1.08, -2],
      )
      await story.submit('Exchange Rate Revaluation', draft.id)
      assert.equal(await story.books(draft.id), { 'Bank EUR': -2, 'Exchange Gain and Loss': 2 })
      const [line] = await story.all('GL Entry', { voucher_no: draft.id, account: 'Bank EUR' })
      assert.equal(
        [line?.account_currency, line?.debit_in_account_currency, line?.credit_in_account_currency],
        ['EUR', 0, 0],
      )

      // Once more it finds 108; at 1.2 it would be 120
      const again = await fetched()
      assert.is(again.total_gain_loss, 0)
      const accounts = [{ account: 'Bank EUR', new_exchange_rate: 1.2 }]
      const dear = await story.update('Exchange Rate Revaluation', again.id, { accounts })
      assert.is(dear.total_gain_loss, 12)
      await story.submit('Exchange Rate Revaluation', dear.id)
      await story.cancel('Exchange Rate Revaluation', dear.id)
      assert.equal(await story.books(dear.id), {})
    })

    test('the own currency, and what parties owe, is not revalued', async () => {
      const refused = (words: string, row: object, field = 'accounts'): Promise<void> =>
        refusedFor(field, words, story.create('Exchange Rate Revaluation', { accounts: [row] }))
      await refused('own currency', { account: 'Bank', account_currency: 'USD' })
      await refused('what parties owe', { account: 'Debtors', account_currency: 'EUR' })
      const unknown = { account: 'Bank', account_currency: 'SEK' }
      await refused('rate from SEK to USD', unknown, 'accounts[0].new_exchange_rate')
    })

    test('what parties owe is revalued until the next day', async () => {
      const { id: customer } = await story.create('Customer', { customer_name: 'Amsel' })
      await story.create('Item', { item_code: 'HOUR', item_name: 'Hour', is_stock_item: false })
      // 200 € at 1.10 are 220; at 1.08 they are 216.
      const invoice = await story.make('Sales Invoice', {
        customer,
        currency: 'EUR',
        posting_date: '2026-03-02',
        items: [{ item_code: 'HOUR', qty: 2, rate: 100 }],
      })
      const draft = await fetched()
      assert.equal(
        draft.accounts.map(({ account, party, gain_loss }: Shown) => [account, party, gain_loss]),
        [
          ['Bank EUR', null, 0],
          ['Debtors', customer, -4],
        ],
      )
      await story.submit('Exchange Rate Revaluation', draft.id)
      const rows = await story.all('GL Entry', { voucher_no: draft.id })
      assert.equal(
        rows.map(({ posting_date, account, party, debit, credit }) => [
          posting_date,
          account,
          party,
          debit - credit,
        ]),
        [
          ['2026-03-09', 'Debtors', customer, -4],
          ['2026-03-09', 'Exchange Gain and Loss', null, 4],
          ['2026-03-10', 'Debtors', customer, 4],
          ['2026-03-10', 'Exchange Gain and Loss', null, -4],
        ],
      )
      // It is paid at the rate of the day, and the gain or loss counts from what it was booked at: 200 × (1.08 − 1.10).
      const payment = await story.make('Payment Entry', {
        party: customer,
        currency: 'EUR',
        paid_amount: 200,
        references: [{ sales_invoice: invoice.id }],
      })
      assert.equal(await story.books(payment.id), {
        Bank: 216,
        Debtors: -220,
        'Exchange Gain and Loss': 4,
      })
    })

    test('svc verify finds nothing wrong', async () => {
      assert.equal(await story.differences(), [])
    })
  },
)
