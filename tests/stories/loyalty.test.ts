import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { reportsOf, rowsOf } from '../reports/report-of.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

/** A club of readers: a point for 10, for 5 once somebody has bought for 500; a point pays 0.50 for 30 days. */
forEachDatabase('points of loyal customers', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let large: Shown

  test.before(async () => {
    story = await openStory(await fresh())
    await story.create('Item', {
      item_code: 'BOOK',
      item_name: 'Book',
      is_stock_item: false,
      standard_rate: 10,
    })
    await story.create('Loyalty Program', {
      loyalty_program_name: 'Club',
      auto_opt_in: true,
      expense_account: 'Rent',
      conversion_factor: 0.5,
      expiry_duration: 30,
      collection_rules: [
        { tier_name: 'Reader', min_spent: 0, collection_factor: 10 },
        { tier_name: 'Scholar', min_spent: 500, collection_factor: 5 },
      ],
    })
    const made = await story.create('Customer', { customer_name: 'Reader' })
    assert.is(made.loyalty_program, 'Club')
    customer = made.id
  })
  test.after(() => story.close())

  const sell = (qty: number, more: object = {}): Promise<Shown> =>
    story.make('Sales Invoice', { customer, items: [{ item_code: 'BOOK', qty }], ...more })
  const points = async (): Promise<number> => (await story.get('Customer', customer)).loyalty_points

  test('are earned by what is bought, more of them in a higher tier', async () => {
    await refusedFor(
      'collection_rules',
      'needs a tier for those who have bought nothing yet',
      story.create('Loyalty Program', {
        loyalty_program_name: 'Elite',
        expense_account: 'Rent',
        collection_rules: [{ tier_name: 'Rich', min_spent: 500, collection_factor: 1 }],
      }),
    )
    // 100 / 10; then 450 / 5, since 550 are bought for by then
    await sell(10)
    assert.is(await points(), 10)
    large = await sell(45)
    assert.is(await points(), 100)
    const [, entry] = await story.all('Loyalty Point Entry')
    assert.equal(
      [
        entry!.loyalty_points,
        entry!.loyalty_program_tier,
        entry!.purchase_amount,
        entry!.expiry_date,
      ],
      [90, 'Scholar', 450, '2026-04-08'],
    )
  })

  test('pay for an invoice, as far as they go', async () => {
    const paid = await sell(8, { loyalty_points: 60 })
    assert.equal([paid.loyalty_amount, paid.grand_total, paid.outstanding_amount], [30, 80, 50])
    assert.equal(await story.books(paid.id), { Debtors: 50, Sales: -80, Rent: 30 })
    // 60 less, and 50 / 5 for what was paid otherwise
    assert.is(await points(), 50)
    const words = 'there are not so many points: 51 wanted, 50 there'
    await refusedFor('loyalty_points', words, sell(8, { loyalty_points: 51 }))
    await refusedFor(
      'payments',
      'more is taken than is to be paid: 25',
      sell(1, { loyalty_points: 50 }),
    )
    const { id: stranger } = await story.create('Customer', {
      customer_name: 'Passer-by',
      loyalty_program: null,
    })
    await story.update('Customer', stranger, { loyalty_program: null })
    await refusedFor(
      'loyalty_points',
      'takes part in no loyalty program',
      sell(1, { customer: stranger, loyalty_points: 1 }),
    )
    // 10 of the first and 90 of the large one; 50 are left.
    const words2 = '90 points were earned with it, and the customer has 50 left'
    await refusedFor('loyalty_points', words2, story.cancel('Sales Invoice', large.id))
    await story.cancel('Sales Invoice', paid.id)
    assert.is(await points(), 100)
  })

  test('a credit note takes its part of them back', async () => {
    const [{ row_id }] = large.items
    const draft = await story.draftOf('Sales Invoice', large.id, 'make_return', {
      rows: [{ row_id, qty: 9 }],
    })
    // 90 of the 450 that 90 points were earned with
    await story.submit('Sales Invoice', draft.id)
    assert.is(await points(), 82)
    await story.cancel('Sales Invoice', draft.id)
    assert.is(await points(), 100)
  })

  test('expire unless they were paid with, the oldest first', async () => {
    const paid = await sell(1, { loyalty_points: 20 })
    assert.equal([paid.outstanding_amount, paid.status, await points()], [0, 'Paid', 80])
    story.clock.time = Date.parse('2026-04-08T12:00:00.000Z')
    await sell(5)
    await story.tick()
    assert.is(await points(), 90)
    story.clock.time = Date.parse('2026-04-09T12:00:00.000Z')
    await story.tick()
    await story.tick()
    // 100 are over, 20 of which were paid with; the 10 of yesterday stay
    assert.is(await points(), 10)
    const told = await reportsOf(story)('loyalty-points', { loyalty_program: 'Club' })
    // 10 + 90 + 5 earned, none by what was paid with points; 20 paid with, 80 over. The rest of 10 is of yesterday.
    const columns = ['customer', 'purchases', 'earned', 'spent', 'lost', 'points']
    assert.equal(rowsOf(told, columns), [[customer, 600, 110, 20, 80, 10]])
    assert.equal(await story.differences(), [])
  })
})
