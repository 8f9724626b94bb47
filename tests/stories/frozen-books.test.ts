import * as assert from 'uvu/assert'
import { type Actor, SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { cancelDocument } from '../../engine/documents/operations/cancel.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { submitDocument } from '../../engine/documents/operations/submit.ts'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('books that take no postings', ({ test, fresh }) => {
  let story: Story
  let customer: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Somebody' })).id
    await story.create('Item', {
      item_code: 'HOUR',
      item_name: 'Hour',
      standard_rate: 100,
      is_stock_item: false,
    })
    await story.create('Role', { role_name: 'Closer' })
    await story.create('User', {
      email: 'ann@example.com',
      full_name: 'Ann',
      roles: [{ role: 'Closer' }],
    })
  })
  test.after(() => story.close())

  const ann: Actor = {
    ...SYSTEM_ACTOR,
    kind: 'user',
    id: 'ann',
    name: 'ann@example.com',
    user: { login: 'ann@example.com', email: 'ann@example.com' },
  }

  /** Rent of 10 paid from this account, by somebody else than the system if one is named. */
  async function spend(
    account: string,
    posting_date: string,
    actor = SYSTEM_ACTOR,
  ): Promise<string> {
    const { engine } = story
    const context = engine.context(actor, 'business')
    const entries = engine.services.registry.byDoctype('Journal Entry')!
    const { record } = await createDocument(context, entries, {
      posting_date,
      accounts: [
        { account: 'Rent', debit: 10 },
        { account, credit: 10 },
      ],
    })
    await submitDocument(context, entries, String(record.id))
    return String(record.id)
  }

  test('frozen accounts and days take postings of one role alone', async () => {
    await story.update('Account', 'Cash', { freeze_account: 'Yes' })
    await story.update('Company', 'Acme Inc', { accounts_frozen_till_date: '2026-02-28' })
    await refusedFor('account', 'is frozen', spend('Cash', '2026-03-01', ann))
    await refusedFor(
      'posting_date',
      '2026-02-28 is too early: the accounts of Acme Inc are frozen until 2026-02-28',
      spend('Bank', '2026-02-28', ann),
    )
    await story.update('Company', 'Acme Inc', {
      role_allowed_for_frozen_entries: 'Closer',
    })
    await spend('Cash', '2026-03-01', ann)
    await spend('Cash', '2026-02-28', ann)
    await refusedFor('account', 'is frozen', spend('Cash', '2026-03-01'))
    await refusedFor('posting_date', 'are frozen until 2026-02-28', spend('Bank', '2026-02-28'))
    await spend('Bank', '2026-03-01')
    await story.update('User', 'ann@example.com', { roles: [] })
    await refusedFor('account', 'is frozen', spend('Cash', '2026-03-01', ann))
    await story.update('Account', 'Cash', { freeze_account: 'No' })
    await story.update('Company', 'Acme Inc', { accounts_frozen_till_date: null })
  })

  const bill = (posting_date: string): Promise<Shown> =>
    story.create('Sales Invoice', {
      customer,
      posting_date,
      items: [{ item_code: 'HOUR', qty: 1 }],
    })

  test('a posting in the instant in which its year is closed is in the closing, or is refused', async () => {
    for (const year of ['2023', '2024', '2025']) {
      const bills: Shown[] = []
      for (let count = 0; count < 6; count += 1) bills.push(await bill(`${year}-06-0${count + 1}`))
      const closing = await story.create('Period Closing Voucher', {
        fiscal_year: year,
        closing_account_head: 'Retained Earnings',
      })
      const outcomes = await Promise.allSettled([
        ...bills.map(({ id }) => story.submit('Sales Invoice', id)),
        story.submit('Period Closing Voucher', closing.id),
      ])
      assert.is(outcomes.at(-1)?.status, 'fulfilled')
      const done = bills.filter((_, index) => outcomes[index]?.status === 'fulfilled')
      const { Sales, ...books } = await story.books(closing.id, ...done.map(({ id }) => id))
      assert.equal(
        [year, Sales, books['Retained Earnings'] ?? 0],
        [year, undefined, done.length * -100],
      )
    }
  })

  /** Month → debit less credit of these accounts in the general ledger, and what is owed in the payment ledger. */
  async function months(...vouchers: string[]): Promise<Record<string, number>> {
    const sums: Record<string, number> = {}
    const add = (key: string, amount: number) => {
      sums[key] = (sums[key] ?? 0) + amount
    }
    for (const voucher_no of vouchers) {
      for (const { posting_date, account, debit, credit } of await story.all('GL Entry', {
        voucher_no,
      }))
        add(`${posting_date.slice(0, 7)} ${account}`, debit - credit)
      for (const { posting_date, amount } of await story.all('Payment Ledger Entry', {
        voucher_no,
      }))
        add(`${posting_date.slice(0, 7)} owed`, amount)
    }
    return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))
  }

  test('what is cancelled and amended counts once in its month; in a closed month it stays, and goes today', async () => {
    const tax = { charge_type: 'On Net Total', account_head: 'Output Tax', rate: 19 }
    const first = await story.make('Sales Invoice', {
      customer,
      posting_date: '2026-02-15',
      taxes: [{ ...tax, description: 'VAT' }],
      items: [{ item_code: 'HOUR', qty: 10 }],
    })
    // 10 × 100 and 19 % of it, of which February bears one
    const february = {
      '2026-02 Sales': -1000,
      '2026-02 Output Tax': -190,
      '2026-02 Debtors': 1190,
      '2026-02 owed': 1190,
    }
    assert.equal(await months(first.id), february)
    await story.cancel('Sales Invoice', first.id)
    assert.equal(await months(first.id), {})
    const { id } = await story.amend('Sales Invoice', first.id)
    assert.is((await story.submit('Sales Invoice', id)).posting_date, '2026-02-15')
    assert.equal(await months(first.id, id), february)
    await story.update('Company', 'Acme Inc', { accounts_frozen_till_date: '2026-02-28' })
    await story.cancel('Sales Invoice', id)
    assert.equal(await months(first.id, id), {
      ...february,
      '2026-03 Sales': 1000,
      '2026-03 Output Tax': 190,
      '2026-03 Debtors': -1190,
      '2026-03 owed': -1190,
    })
    const again = await story.amend('Sales Invoice', id)
    await refusedFor('posting_date', 'are frozen', story.submit('Sales Invoice', again.id))
    await story.update('Company', 'Acme Inc', { accounts_frozen_till_date: null })
  })

  test('who may post on frozen days takes back on them', async () => {
    await story.update('User', 'ann@example.com', { roles: [{ role: 'Closer' }] })
    const [one, other] = [await spend('Bank', '2026-02-27'), await spend('Bank', '2026-02-27')]
    await story.update('Company', 'Acme Inc', { accounts_frozen_till_date: '2026-02-28' })
    await story.cancel('Journal Entry', one)
    const { engine } = story
    const entries = engine.services.registry.byDoctype('Journal Entry')!
    await cancelDocument(engine.context(ann, 'business'), entries, other)
    assert.equal(await months(one), {
      '2026-02 Rent': 10,
      '2026-02 Bank': -10,
      '2026-03 Rent': -10,
      '2026-03 Bank': 10,
    })
    assert.equal(await months(other), {})
    await story.update('Company', 'Acme Inc', { accounts_frozen_till_date: null })
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})
