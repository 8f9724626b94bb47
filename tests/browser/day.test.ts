import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Day, dayOf } from './day-steps.ts'
import { type DeskPage, type DeskSite, openDeskSite } from './desk-site.ts'

const test = suite('a day at the Desk')

let site: DeskSite
let desk: DeskPage
let day: Day

test.before(async () => {
  site = await openDeskSite({ demo: true })
  await oweOverdue()
  desk = await site.open('/', { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  day = dayOf(desk, { isPictured: true })
})
test.after(() => site.close())

/** Days ago that an invoice is of, and that it had to be paid. */
const INVOICED = 40
const DUE = 18

/** Which invoices of the demo are overdue depends on the day it is played: one is on every day. */
async function oweOverdue(): Promise<void> {
  const { data } = await site.api<{ data: { id: string }[] }>(
    'GET',
    '/v1/customers?fields=id&limit=1',
  )
  const item = { item_code: 'INSPECTION', item_name: 'Inspection', is_stock_item: false }
  await site.api('POST', '/v1/items', item)
  const { id } = await site.api<{ id: string }>('POST', '/v1/sales-invoices', {
    customer: data[0]?.id,
    posting_date: daysAgo(INVOICED),
    due_date: daysAgo(DUE),
    items: [{ item_code: 'INSPECTION', qty: 1, rate: 290 }],
  })
  await site.api('POST', `/v1/sales-invoices/${id}/submit`)
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}

test('the morning: an overdue invoice is found and its payment recorded', async () => {
  const { page, quiet } = desk
  await page.getByRole('heading', { name: /^Good / }).waitFor()
  await page.locator('.workspace-chart .chart').nth(1).waitFor()
  await day.picture('01-home')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('sales inv')
  await page.getByRole('option').first().waitFor()
  await day.picture('02-jump')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Status', exact: true }).first().click()
  await page.getByRole('dialog', { name: 'Status' }).getByText('Overdue').click()
  await page.keyboard.press('Escape')
  await page.waitForURL(/status=Overdue/)
  await page.locator('.list-rows[data-old=false]').waitFor()
  await day.picture('03-overdue-invoices')
  await page.locator('[data-row]').first().focus()
  await page.keyboard.press(' ')
  await page.locator('.peek-body').waitFor()
  await day.picture('04-peek')
  await page.keyboard.press('Enter')
  await day.state('Overdue')
  await page.keyboard.press('p')
  await page.getByRole('region', { name: 'Paper' }).locator('.sheet').waitFor()
  await day.picture('05-paper')
  await page.keyboard.press('p')
  await page.getByText('Submitted documents are locked').waitFor()
  await day.remind('books@example.com', 'This invoice is overdue. Has it reached you?')
  await day.pay()
  quiet('the payment')
})

test('an offer becomes an order, a delivery and a bill', async () => {
  const { page, quiet } = desk
  const { data } = await site.api<{ data: { id: string }[] }>(
    'GET',
    '/v1/customers?fields=id&limit=1&sort=name&order=asc',
  )
  const item = await site.api<{ id: string }>('POST', '/v1/items', {
    item_code: 'FITTING',
    item_name: 'Bike fitting',
    is_stock_item: false,
  })
  await day.offer(data[0]?.id ?? '', { id: item.id, name: 'Bike fitting' })
  const order = await day.orderDeliverBill()
  await page.goto(order)
  const flow = page.getByRole('navigation', { name: 'Documents before and after' })
  await flow.getByText('Delivery note').waitFor()
  await flow.getByText('Sales invoice').waitFor()
  await day.picture('08-order-and-what-followed')
  quiet('the order')
})

test('a supplier sends a bill: it is booked, and its paper stands beside it', async () => {
  const { data } = await site.api<{ data: { id: string }[] }>(
    'GET',
    '/v1/suppliers?fields=id&limit=1&sort=name&order=asc',
  )
  await site.api('POST', '/v1/items', {
    item_code: 'REPAIR',
    item_name: 'Repair of a stand',
    is_stock_item: false,
  })
  await day.bill(data[0]?.id ?? '', 'REPAIR', '120')
  desk.quiet('the bill')
})

test('a lead moves over the board, leave is approved in the calendar', async () => {
  const { page, quiet } = desk
  await page.goto('/leads?layout=board')
  const cards = page.locator('[data-column="Open"] .card')
  const name = (await cards.first().locator('strong').textContent()) ?? ''
  await cards.filter({ hasText: name }).focus()
  await page.keyboard.press('Shift+ArrowRight')
  await page.locator('[data-column="Lead"] .card', { hasText: name }).waitFor()
  await day.picture('09-board')
  const { data } = await site.api<{
    data: { id: string; employee: string; leave_type: string }[]
  }>('GET', '/v1/leave-applications?fields=id,employee,leave_type,from_date&limit=1')
  const asked = await site.api<{ id: string }>('POST', '/v1/leave-applications', {
    employee: data[0]?.employee,
    leave_type: data[0]?.leave_type,
    from_date: '2026-12-28',
    to_date: '2026-12-30',
  })
  await day.approve(asked.id)
  await page.goto('/leave-applications?layout=calendar&month=2026-12')
  await page.locator('[data-day="2026-12-29"] .entry').waitFor()
  await day.picture('10-calendar')
  quiet('the board')
})

test('a price is explained; an invoice is cancelled and amended', async () => {
  await day.explain('Unpaid')
  await day.cancelAndAmend()
  desk.quiet('the amendment')
})

test('it is as calm in the dark and on a phone', async () => {
  for (const [name, path, options] of [
    ['13-dark-list', '/sales-orders', { colorScheme: 'dark' }],
    ['14-tree', '/accounts?layout=tree', {}],
    ['15-phone-list', '/sales-invoices', { viewport: { width: 390, height: 844 } }],
    ['16-phone-record', '', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
  ] as const) {
    const { data } = await site.api<{ data: { id: string }[] }>(
      'GET',
      '/v1/sales-orders?fields=id&limit=1&sort=name&order=asc',
    )
    const { page, quiet, close } = await site.open(path || `/sales-orders/${data[0]?.id}`, {
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      ...options,
    })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name)
    await day.picture(name, page)
    quiet(name)
    await close()
  }
})

test.run()
