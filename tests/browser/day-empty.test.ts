import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Day, dayOf } from './day-steps.ts'
import { type DeskPage, type DeskSite, openDeskSite } from './desk-site.ts'

const test = suite('a first day at the Desk of an empty workspace')

let site: DeskSite
let desk: DeskPage
let day: Day

test.before(async () => {
  site = await openDeskSite()
  desk = await site.open('/', { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  day = dayOf(desk)
})
test.after(() => site.close())

/** Makes a record of nothing but what it is called; answers its identifier. */
async function make(slug: string, label: RegExp, name: string): Promise<string> {
  const { page } = desk
  await page.goto(`/${slug}/new`)
  await page.getByLabel(label).first().fill(name)
  await page.keyboard.press('Control+s')
  await page.waitForURL((url) => !url.pathname.endsWith('/new'))
  await page.locator('.timeline [data-kind=created]').waitFor()
  return decodeURIComponent(page.url().split('/').at(-1) ?? '')
}

test('a first customer and item become an offer, an order, a delivery, a bill and money', async () => {
  const { page, quiet } = desk
  const customer = await make('customers', /^Name|^Customer name/, 'Anna Berger')
  await site.api('POST', '/v1/items', {
    item_code: 'FITTING',
    item_name: 'Bike fitting',
    is_stock_item: false,
  })
  await day.offer(customer, { id: 'FITTING', name: 'Bike fitting' })
  await day.orderDeliverBill()
  await day.remind('anna@example.com', 'Here is your invoice.')
  await day.pay()
  quiet('selling')
  const { data } = await site.api<{ data: { status: string; outstanding_amount: number }[] }>(
    'GET',
    '/v1/sales-invoices?fields=status,outstanding_amount',
  )
  assert.equal(data, [{ status: 'Paid', outstanding_amount: 0 }])
  assert.ok(page.url().includes('/payment-entries/'))
})

test('a first supplier sends a bill', async () => {
  const supplier = await make('suppliers', /^Name|^Supplier name/, 'Parts and Co')
  await site.api('POST', '/v1/items', {
    item_code: 'REPAIR',
    item_name: 'Repair of a stand',
    is_stock_item: false,
  })
  await day.bill(supplier, 'REPAIR', '120')
  desk.quiet('buying')
})

test('an overdue invoice is found, its customer reminded; a price is explained, a document amended', async () => {
  const { page, quiet } = desk
  for (const posting_date of ['2026-09-01', '2026-09-02']) {
    const { id } = await site.api<{ id: string }>('POST', '/v1/sales-invoices', {
      customer: 'CUST-00001',
      posting_date,
      due_date: '2026-10-01',
      items: [{ item_code: 'FITTING', qty: 1, rate: 60 }],
    })
    await site.api('POST', `/v1/sales-invoices/${id}/submit`, {})
  }
  await page.goto('/sales-invoices?status=Overdue')
  await page.locator('[data-row]').first().click()
  await day.state('Overdue')
  await day.remind('anna@example.com', 'This invoice is overdue.')
  await day.pay()
  await day.explain('Overdue')
  await day.cancelAndAmend()
  quiet('an overdue invoice')
})

test('leave is approved', async () => {
  const employee = await site.api<{ id: string }>('POST', '/v1/employees', {
    first_name: 'Eva',
    last_name: 'Egger',
    date_of_joining: '2026-01-01',
    date_of_birth: '1990-01-01',
    gender: 'Female',
  })
  const of = { employee: employee.id, leave_type: 'Annual Leave' }
  const given = await site.api<{ id: string }>('POST', '/v1/leave-allocations', {
    ...of,
    from_date: '2026-01-01',
    to_date: '2026-12-31',
    new_leaves_allocated: 20,
  })
  await site.api('POST', `/v1/leave-allocations/${given.id}/submit`, {})
  const asked = await site.api<{ id: string }>('POST', '/v1/leave-applications', {
    ...of,
    from_date: '2026-12-28',
    to_date: '2026-12-30',
  })
  await day.approve(asked.id)
  desk.quiet('leave')
})

test('a first lead moves over the board', async () => {
  const { page, quiet } = desk
  await site.api('POST', '/v1/leads', { lead_name: 'Carla Conti' })
  await page.goto('/leads?layout=board')
  const card = page
    .locator('[data-column="Open"] .card', { hasText: 'Carla Conti' })
    .or(page.locator('[data-column="Lead"] .card', { hasText: 'Carla Conti' }))
  await card.focus()
  const from = await card.locator('xpath=ancestor::*[@data-column]').getAttribute('data-column')
  await page.keyboard.press('Shift+ArrowRight')
  await page
    .locator(`[data-column]:not([data-column="${from}"]) .card`, { hasText: 'Carla Conti' })
    .waitFor()
  quiet('the board')
})

test.run()
