import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { type DeskSite, openDeskSite, violations } from './desk-site.ts'
import { picture } from './pictures.ts'

const test = suite('reports made in the Desk')

let site: DeskSite
test.before(async () => {
  site = await openDeskSite({ demo: true })
})
test.after(() => site.close())

test('a list is made a report, which says what the list says, is saved as a file, and opens the list', async () => {
  const { page, quiet, close } = await site.open('/sales-invoices?docstatus=1')
  await page.getByRole('row').nth(2).waitFor()
  await page.locator('.page-actions').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Make a report…' }).click()
  const form = page.getByRole('form', { name: 'Make a report' })
  await form.getByLabel('Groups by').selectOption({ label: 'Customer' })
  await form.getByLabel('Asked for a span of').selectOption({ label: '' })
  await form.getByLabel('Name').fill('Billed by Customer')
  await page.locator('.report-table tfoot').waitFor()
  await picture('27-a-report-is-made', page)
  await page.getByText('The file that is saved').click()
  await page.waitForFunction(
    () => document.querySelector('.yaml')?.textContent?.includes('Billed by Customer') === true,
  )
  const yaml = parse((await page.locator('.yaml').textContent()) ?? '') as Record<string, unknown>
  assert.is(yaml.where, 'docstatus == 1')
  assert.is(yaml.params, undefined)
  assert.equal(await violations(page), [])
  await page.setViewportSize({ width: 390, height: 844 })
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/\/r\/billed-by-customer$/)
  await page.getByRole('heading', { level: 1, name: 'Billed by customer' }).waitFor()
  const { meta } = await site.api<{ meta: { total: number } }>(
    'GET',
    '/v1/sales-invoices?docstatus=1&limit=1',
  )
  const counted = page.locator('.report-table tfoot a.drill').first()
  assert.is(await counted.textContent(), String(meta.total))
  await counted.click()
  await page.waitForURL(/\/sales-invoices\?docstatus=1/)
  await page.goto('/r')
  await page.getByRole('link', { name: /^Billed by customer/ }).waitFor()
  quiet('a report is made')
  await close()
})

test('a name that is taken is said, and nothing is lost', async () => {
  const { page, close } = await site.open('/r/new?resource=sales-orders')
  const form = page.getByRole('form', { name: 'Make a report' })
  await form.getByLabel('Name').fill('Sales Register')
  await page.getByRole('alert').getByText('there is a report sales-register already').waitFor()
  assert.is(await form.getByLabel('Name').inputValue(), 'Sales Register')
  await form.getByLabel('Name').fill('Sales Orders of Ours')
  await page.locator('.report-table tfoot').waitFor()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await close()
})

test.run()
