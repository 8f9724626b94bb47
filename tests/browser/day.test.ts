import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeskPage, type DeskSite, openDeskSite } from './desk-site.ts'

const test = suite('a day at the Desk')

/** Where the pictures of the day are kept; they are drawn anew with DESK_PICTURES=1. */
const PICTURES = fileURLToPath(new URL('../../docs/desk', import.meta.url))

let site: DeskSite
let desk: DeskPage

test.before(async () => {
  site = await openDeskSite({ demo: true })
  desk = await site.open('/', { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
})
test.after(() => site.close())

/** Keeps what the page shows, as WebP, which the browser itself makes of it. */
async function picture(name: string, page: Page = desk.page): Promise<void> {
  if (process.env.DESK_PICTURES !== '1') return
  await page.evaluate(() => document.fonts.ready.then(() => true))
  const shot = (await page.screenshot()).toString('base64')
  const blank = await page.context().newPage()
  const webp = await blank.evaluate(async (png) => {
    const image = new Image()
    image.src = `data:image/png;base64,${png}`
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.naturalWidth
    canvas.height = image.naturalHeight
    canvas.getContext('2d')?.drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.9)
  }, shot)
  await blank.close()
  mkdirSync(PICTURES, { recursive: true })
  writeFileSync(`${PICTURES}/${name}.webp`, Buffer.from(webp.split(',')[1] ?? '', 'base64'))
}

/** Presses the next action of the record, and the same in what asks whether that is meant. */
async function next(name: string): Promise<void> {
  await desk.page.locator('.page-actions').getByRole('button', { name }).click()
}

/** Chooses what is not the very next thing to do with a record. */
async function choose(name: string): Promise<void> {
  await desk.page.locator('[data-more] > button').click()
  await desk.page.getByRole('menuitem', { name }).click()
}

/** Submits the record, once what that does is shown. */
async function submit(): Promise<void> {
  await next('Submit')
  const dialog = desk.page.getByRole('dialog', { name: 'Submit?' })
  await dialog.locator('.consequences').waitFor()
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await desk.page.getByText('Submitted documents are locked').waitFor()
}

function state(text: string): Promise<void> {
  return desk.page.locator('.record-title .pill', { hasText: text }).waitFor()
}

test('the morning: an overdue invoice is found and its payment recorded', async () => {
  const { page, quiet } = desk
  await page.getByRole('heading', { name: /^Good / }).waitFor()
  await picture('01-home')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('sales inv')
  await picture('02-jump')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Status', exact: true }).first().click()
  await page.getByRole('dialog', { name: 'Status' }).getByText('Overdue').click()
  await page.keyboard.press('Escape')
  await page.waitForURL(/status=Overdue/)
  await page.locator('.list-rows[data-old=false]').waitFor()
  await picture('03-overdue-invoices')
  await page.locator('[data-row]').first().focus()
  await page.keyboard.press(' ')
  await page.locator('.peek-body').waitFor()
  await picture('04-peek')
  await page.keyboard.press('Enter')
  await state('Overdue')
  await page.keyboard.press('p')
  await page.getByRole('region', { name: 'Paper' }).locator('.sheet').waitFor()
  await picture('05-paper')
  await page.keyboard.press('p')
  await page.getByText('Submitted documents are locked').waitFor()
  await next('Make payment')
  await page.locator('[data-form="payment-entries"]').waitFor()
  await next('Submit')
  const dialog = page.getByRole('dialog', { name: 'Submit?' })
  await dialog.getByRole('cell', { name: 'Debtors' }).first().waitFor()
  await dialog.getByRole('region', { name: 'This changes too' }).waitFor()
  await picture('06-what-a-submit-does')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  const flow = page.getByRole('navigation', { name: 'Documents before and after' })
  await flow.getByText('Paid', { exact: true }).waitFor()
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
  await page.goto(`/quotations/new?customer=${data[0]?.id}`)
  await page.getByRole('button', { name: 'Add row' }).first().click()
  await page.keyboard.type(item.id)
  await page.keyboard.press('Tab')
  await page.keyboard.type('3')
  await page.keyboard.press('Tab')
  const grid = page.getByRole('grid', { name: 'Items' })
  await grid.getByRole('gridcell', { name: 'Bike fitting' }).waitFor()
  const price = grid.getByRole('columnheader', { name: 'Price', exact: true })
  const column = Number(await price.getAttribute('aria-colindex')) - 2
  await grid.locator(`[data-cell="0:${column}"]`).focus()
  await page.keyboard.type('85')
  await page.keyboard.press('Tab')
  await page.locator('.record-main[data-old=false]').waitFor()
  await picture('07-new-offer')
  await page.keyboard.press('Control+s')
  await page.waitForURL(/\/quotations\/QTN-/)
  await submit()
  await next('Make order')
  await page.waitForURL(/\/sales-orders\//)
  await page.locator('[data-form="sales-orders"]').waitFor()
  await submit()
  const order = page.url()
  await choose('Make delivery note')
  await page.waitForURL(/\/delivery-notes\//)
  await page.locator('[data-form="delivery-notes"]').waitFor()
  await submit()
  await next('Make invoice')
  await page.waitForURL(/\/sales-invoices\//)
  await page.locator('[data-form="sales-invoices"]').waitFor()
  await submit()
  await page.goto(order)
  const flow = page.getByRole('navigation', { name: 'Documents before and after' })
  await flow.getByText('Delivery note').waitFor()
  await flow.getByText('Sales invoice').waitFor()
  await picture('08-order-and-what-followed')
  quiet('the order')
})

test('a lead moves over the board, leave is approved in the calendar', async () => {
  const { page, quiet } = desk
  await page.goto('/leads?layout=board')
  const card = page.locator('[data-column="Open"] .card').first()
  const name = (await card.locator('strong').textContent()) ?? ''
  await card.focus()
  await page.keyboard.press('Shift+ArrowRight')
  await page.locator('[data-column="Lead"] .card', { hasText: name }).waitFor()
  await picture('09-board')
  const { data } = await site.api<{
    data: { id: string; employee: string; leave_type: string }[]
  }>('GET', '/v1/leave-applications?fields=id,employee,leave_type,from_date&limit=1')
  const asked = await site.api<{ id: string }>('POST', '/v1/leave-applications', {
    employee: data[0]?.employee,
    leave_type: data[0]?.leave_type,
    from_date: '2026-12-28',
    to_date: '2026-12-30',
  })
  await page.goto(`/leave-applications/${asked.id}`)
  await page.getByRole('button', { name: 'Move to another state' }).click()
  await page.getByRole('menuitem', { name: 'Approved' }).click()
  await state('Approved')
  await page.goto('/leave-applications?layout=calendar&month=2026-12')
  await page.locator('[data-day="2026-12-29"] .entry').waitFor()
  await picture('10-calendar')
  quiet('the board')
})

test('a price is explained; an invoice is cancelled and amended', async () => {
  const { page, quiet } = desk
  await page.goto('/sales-invoices?status=Unpaid')
  await page.locator('[data-row]').first().click()
  await state('Unpaid')
  await page.getByRole('grid', { name: 'Items' }).locator('.explained').last().click()
  await page.locator('.explanation .inputs').waitFor()
  await picture('11-why')
  await page.keyboard.press('Escape')
  await choose('Cancel document')
  const dialog = page.getByRole('dialog', { name: 'Cancel document?' })
  await dialog.getByRole('table', { name: 'General ledger entries' }).waitFor()
  await dialog.getByRole('button', { name: 'Cancel document' }).click()
  await state('Cancelled')
  await choose('Amend')
  await page.waitForURL(/-1$/)
  await state('Draft')
  await picture('12-amended')
  quiet('the amendment')
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
    await picture(name, page)
    quiet(name)
    await close()
  }
})

test.run()
