import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeskSite, openDeskSite, violations } from './desk-site.ts'
import { picture } from './pictures.ts'

const test = suite('help in the Desk')

let site: DeskSite
test.before(async () => {
  site = await openDeskSite({ demo: true })
})
test.after(() => site.close())

/** A page of each kind, and what its help begins with. */
const PAGES: readonly (readonly [path: string, title: string])[] = [
  ['/', 'Help'],
  ['/inbox', 'Help'],
  ['/all', 'Help'],
  ['/sales-invoices', 'Help: Sales invoices'],
  ['/sales-invoices/new', 'Help: Sales invoices'],
  ['/r', 'Help'],
  ['/r/sales-analytics', 'Help: Sales Analytics'],
  ['/bank', 'Help'],
  ['/developer/keys', 'Help'],
  ['/settings/users', 'Help'],
]

test('? on each page says where to read on, and each of these pages and sections is there', async () => {
  const { page, quiet, close } = await site.open('/')
  const ways = new Set<string>()
  for (const [path, title] of PAGES) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.locator('h1').first().click()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: title, exact: true })
    await help.getByText('Search or jump').waitFor()
    const links = await help
      .locator('a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
    assert.ok(links.length >= 2, path)
    for (const link of links) ways.add(link)
    quiet(path)
  }
  for (const way of ways) {
    await page.goto(way)
    const anchor = way.split('#')[1]
    if (anchor !== undefined) assert.is(await page.locator(`[id="${anchor}"]`).count(), 1, way)
    assert.is(await page.getByText('Nothing has these words').count(), 0, way)
    quiet(way)
  }
  await close()
})

test('help of a resource tells what it is, what each field is for and what can be done, also on a phone', async () => {
  const { page, quiet, close } = await site.open('/sales-orders', {
    viewport: { width: 390, height: 844 },
  })
  await page.getByRole('button', { name: /^Your account/ }).click()
  await page.getByRole('menuitem', { name: 'Help' }).click()
  const help = page.getByRole('dialog', { name: 'Help: Sales orders' })
  await help.getByText(/fields and what they are for/).click()
  await help.getByRole('searchbox').fill('delivery')
  await help.getByText('Delivery date', { exact: true }).waitFor()
  await help.getByText(/things that can be done/).click()
  await help.getByText('Close', { exact: true }).waitFor()
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  assert.equal(await violations(page), [])
  await page.setViewportSize({ width: 1280, height: 860 })
  await picture('26-help', page)
  quiet('help')
  await close()
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`the manual is found in, read and looked at: ${colorScheme}`, async () => {
    const { page, quiet, close } = await site.open('/docs/manual', { colorScheme })
    await page.getByRole('searchbox').fill('credit limit')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Sales: Credit limit' }).click()
    await page.getByRole('heading', { name: 'Credit limit' }).waitFor()
    assert.equal(await violations(page), [])
    await page.goto('/docs/manual/modules/stock')
    await page.setViewportSize({ width: 390, height: 844 })
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    quiet('the manual')
    await close()
  })

test.run()
