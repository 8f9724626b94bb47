import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeskPage, type DeskSite, openDeskSite, violations } from './desk-site.ts'
import { filmStrip } from './pictures.ts'

const test = suite('the morning of each role')

let site: DeskSite
const film = filmStrip(3)
test.before(async () => {
  site = await openDeskSite({ demo: true })
})
test.after(() => site.close())

/** Signs somebody of the demo company in by the first part of their address; ends at their start, whose numbers are there. */
async function morningOf(name: string): Promise<DeskPage> {
  const person = site.first.accounts?.find(({ email }) => email.startsWith(`${name}@`))
  assert.ok(person, `nobody called ${name} works here`)
  const desk = await site.openAs(
    { user: person.email, password: person.password },
    { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' },
  )
  await desk.page.locator('.number-cards .card-number[data-busy=false]').first().waitFor()
  await desk.page.waitForFunction(
    () => document.querySelectorAll('.workspace-chart[data-busy=true]').length === 0,
  )
  assert.equal(await violations(desk.page), [], name)
  await film.take(desk.page)
  return desk
}

/** Opens the list that a number leads to, which has as many records, and its first record. */
async function openFirst(page: Page, label: string): Promise<void> {
  await page.locator('.number-cards a', { hasText: label }).first().click()
  await page.locator('[data-row]').first().waitFor()
  await page.locator('[data-row]').first().click()
  await page.locator('.record-title h1').waitFor()
}

function next(page: Page, name: string): Promise<void> {
  return page.locator('.page-actions').getByRole('button', { name }).click()
}

async function submit(page: Page): Promise<void> {
  await next(page, 'Submit')
  const dialog = page.getByRole('dialog', { name: 'Submit?' })
  await dialog.locator('.consequences').waitFor()
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await page.locator('.timeline [data-kind=submitted]').waitFor()
}

/** Moves a record to another of its states. */
async function move(page: Page, state: string): Promise<void> {
  await page.getByRole('button', { name: 'Move to another state' }).click()
  await page.getByRole('menuitem', { name: state }).click()
  await page.locator('.record-title .pill', { hasText: state }).waitFor()
}

test('sales turns an open quotation into an order', async () => {
  const { page, quiet, close } = await morningOf('sales')
  await openFirst(page, 'Open quotations')
  await next(page, 'Make order')
  await page.waitForURL(/\/sales-orders\//)
  await page.locator('[data-form="sales-orders"]').waitFor()
  await submit(page)
  quiet('sales')
  await close()
})

test('stock receives an order', async () => {
  const { page, quiet, close } = await morningOf('stock')
  await openFirst(page, 'Orders to receive')
  await next(page, 'Make receipt')
  await page.waitForURL(/\/purchase-receipts\//)
  await page.locator('[data-form="purchase-receipts"]').waitFor()
  await submit(page)
  quiet('stock')
  await close()
})

test('HR approves a leave that waits in the inbox', async () => {
  const { page, quiet, close } = await morningOf('hr')
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Inbox' }).click()
  await openFirst(page, 'Leave to approve')
  await move(page, 'Approved')
  await submit(page)
  quiet('HR')
  await close()
})

test('support answers an issue', async () => {
  const { page, quiet, close } = await morningOf('support')
  await openFirst(page, 'Open issues')
  await page.getByLabel('Your comment').fill('Yes, two children up to 40 kg together.')
  await page.getByRole('button', { name: 'Send comment' }).click()
  await page.locator('.timeline [data-kind=comment]').first().waitFor()
  await move(page, 'Resolved')
  quiet('support')
  await close()
})

test('accounts matches a line of the bank and takes a payment', async () => {
  const { page, quiet, close } = await morningOf('accounts')
  await page.locator('.number-cards a', { hasText: 'Bank lines to match' }).click()
  const list = page.getByRole('listbox', { name: 'Lines of the bank' })
  await list.waitFor()
  const lines = list.getByRole('option')
  const before = await lines.count()
  await page.locator('.suggestion').first().waitFor()
  await list.focus()
  await page.keyboard.press('Enter')
  await page.waitForFunction(
    (count) => document.querySelectorAll('[role=option]').length === count - 1,
    before,
  )
  await page.goto('/sales-invoices?status=Unpaid')
  await page.locator('[data-row]').first().click()
  await next(page, 'Make payment')
  await page.locator('[data-form="payment-entries"]').waitFor()
  await submit(page)
  quiet('accounts')
  await close()
})

test('the owner looks at the numbers, opens what they add up, and approves an expense', async () => {
  const { page, quiet, close } = await morningOf('owner')
  const card = page.locator('.number-cards a', { hasText: 'Owed by customers' })
  const count = ((await card.locator('.quiet').textContent()) ?? '').replace(/\D/g, '')
  await card.click()
  await page.locator('.page-head .count', { hasText: count }).waitFor()
  await page.goto('/r/profit-and-loss-statement')
  await page.locator('.report-table tbody a.drill').first().click()
  await page.waitForURL((url) => !url.pathname.startsWith('/r/'))
  await page.locator('[data-row]').first().waitFor()
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Inbox' }).click()
  await openFirst(page, 'Expenses to approve')
  await move(page, 'Approved')
  await submit(page)
  quiet('the owner')
  await film.keep('29-mornings', page)
  await close()
})

test.run()
