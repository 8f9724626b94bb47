import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabase('subscriptions over three months', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let hosting: Shown

  test.before(async () => {
    story = await openHttpStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    await story.create('Item', { item_code: 'HOST', item_name: 'Host', is_stock_item: false })
    await story.create('Item', { item_code: 'MAIL', item_name: 'Mail', is_stock_item: false })
    const plan = (plan_name: string, item: string, cost: number, more: object = {}) =>
      story.create('Subscription Plan', { plan_name, item, cost, currency: 'USD', ...more })
    await plan('Hosting', 'HOST', 49.9)
    await plan('Mailbox', 'MAIL', 4)
    await plan('Hosting, yearly', 'HOST', 45, {
      billing_interval: 'Year',
      price_determination: 'Monthly Rate',
    })
  })
  test.after(() => story.close())

  const go = async (day: string): Promise<void> => {
    story.clock.time = Date.parse(`${day}T12:00:00.000Z`)
    await story.tick()
  }
  const invoices = async ({ id }: Shown): Promise<readonly Shown[]> =>
    (await story.all('Sales Invoice', { customer })).filter(
      ({ subscription }) => subscription === id,
    )
  const state = async ({ id }: Shown): Promise<unknown[]> => {
    const now = await story.get('Subscription', id)
    return [now.status, now.current_invoice_start, now.outstanding_amount]
  }

  test('a month is free, then each is billed on its first day', async () => {
    // From the 31st, so that months of all lengths follow
    story.clock.time = Date.parse('2026-01-17T12:00:00.000Z')
    hosting = await story.create('Subscription', {
      party: customer,
      start_date: '2026-01-17',
      trial_period_end: '2026-01-30',
      plans: [{ plan: 'Hosting' }, { plan: 'Mailbox', qty: 5 }],
      sales_tax_template: 'VAT 20 %',
      days_until_due: 10,
      grace_period: 5,
    })
    // 49.90 + 5 × 4.00
    assert.equal(
      [hosting.status, hosting.period_amount, hosting.next_invoice_date],
      ['Trialing', 69.9, '2026-01-31'],
    )
    await refusedAsConflict(story.act('Subscription', hosting.id, 'process'))
    await go('2026-01-30')
    assert.equal((await invoices(hosting)).length, 0)
    await go('2026-01-31')
    await go('2026-01-31')
    const [first, ...more] = await invoices(hosting)
    assert.is(more.length, 0)
    assert.equal(
      [first?.from_date, first?.to_date, first?.due_date, first?.status],
      ['2026-01-31', '2026-02-27', '2026-02-10', 'Unpaid'],
    )
    // 69.90 + 20 %
    assert.equal(await story.books(first!.id), {
      Debtors: 83.88,
      Sales: -69.9,
      'Output Tax': -13.98,
    })
    assert.equal(await state(hosting), ['Active', '2026-02-28', 83.88])
  })

  test('who does not pay is past due, then unpaid, and active again', async () => {
    await go('2026-02-10')
    assert.is((await state(hosting))[0], 'Active')
    await go('2026-02-11')
    assert.is((await state(hosting))[0], 'Past Due Date')
    await go('2026-02-16')
    assert.is((await state(hosting))[0], 'Unpaid')
    const [first] = await invoices(hosting)
    await story.make('Payment Entry', {
      party: customer,
      paid_amount: 83.88,
      references: [{ sales_invoice: first!.id }],
    })
    assert.equal(await state(hosting), ['Active', '2026-02-28', 0])
  })

  test('missed periods are caught up, each with its own day', async () => {
    await go('2026-04-02')
    const [, second, third] = await invoices(hosting)
    // The 31st of months that have one, and the last day of those that have not
    assert.equal(
      [second, third].map((one) => [one?.posting_date, one?.from_date, one?.to_date]),
      [
        ['2026-02-28', '2026-02-28', '2026-03-30'],
        ['2026-03-31', '2026-03-31', '2026-04-29'],
      ],
    )
    assert.equal(await state(hosting), ['Unpaid', '2026-04-30', 167.76])
    assert.equal((await story.events(hosting.id)).filter((kind) => kind === 'billed').length, 3)
  })

  test('ends after the period under way, or at once', async () => {
    await story.act('Subscription', hosting.id, 'cancel_at_period_end')
    await go('2026-04-29')
    assert.is((await state(hosting))[0], 'Unpaid')
    await go('2026-04-30')
    assert.equal((await invoices(hosting)).length, 3)
    assert.is((await state(hosting))[0], 'Cancelled')
    const kinds = await story.events(hosting.id)
    assert.ok(kinds.includes('past_due') && kinds.includes('ended'))
    await story.act('Subscription', hosting.id, 'resume')
    await story.tick()
    assert.equal((await invoices(hosting)).length, 4)
    const now = await story.act('Subscription', hosting.id, 'cancel_subscription')
    assert.equal([now.status, now.cancelled_on], ['Cancelled', '2026-04-30'])
  })

  test('a year is billed at its end, and no longer than to the end date', async () => {
    story.clock.time = Date.parse('2026-03-09T12:00:00.000Z')
    const yearly = await story.create('Subscription', {
      party: customer,
      plans: [{ plan: 'Hosting, yearly' }],
      generate_invoice_at: 'End of the current subscription period',
      end_date: '2027-12-31',
      submit_invoice: false,
    })
    // 12 × 45
    assert.equal([yearly.period_amount, yearly.current_invoice_end], [540, '2027-03-08'])
    await go('2027-03-08')
    const [draft] = await invoices(yearly)
    assert.equal([draft?.status, draft?.grand_total], ['Draft', 540])
    await go('2028-03-09')
    assert.is((await invoices(yearly)).length, 2)
    assert.is((await state(yearly))[0], 'Completed')
    await go('2029-04-01')
    assert.is((await invoices(yearly)).length, 2)
    story.clock.time = Date.parse('2026-03-09T12:00:00.000Z')
  })

  test('suppliers bill by subscriptions too', async () => {
    const supplier = (await story.create('Supplier', { supplier_name: 'Landlord' })).id
    const { id } = await story.create('Subscription', {
      party_type: 'Supplier',
      party: supplier,
      plans: [{ plan: 'Hosting' }],
    })
    const done = await story.act('Subscription', id, 'process')
    assert.equal([done.periods_billed, done.outstanding_amount], [1, 49.9])
    const [bill] = await story.all('Purchase Invoice', { supplier })
    assert.equal([bill?.subscription, bill?.grand_total, bill?.status], [id, 49.9, 'Unpaid'])
  })

  test('its plans have one period and one currency', async () => {
    await refusedFor(
      'plans',
      'same currency and period',
      story.create('Subscription', {
        party: customer,
        plans: [{ plan: 'Hosting' }, { plan: 'Hosting, yearly' }],
      }),
    )
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})
