import * as assert from 'uvu/assert'
import { type Actor, SYSTEM_ACTOR } from '../../engine/access/actor.ts'
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
  async function spend(account: string, posting_date: string, actor = SYSTEM_ACTOR): Promise<void> {
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

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})
