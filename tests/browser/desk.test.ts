import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeskSite, openDeskSite, violations } from './desk-site.ts'

const test = suite('the Desk')

let site: DeskSite
let invoice: string

test.before(async () => {
  site = await openDeskSite()
  for (const name of ['Anna Berger', 'Blue Bikes', 'Carla Conti'])
    await site.api('POST', '/v1/customers', { customer_name: name })
  await site.api('POST', '/v1/items', {
    item_code: 'BELL',
    item_name: 'Bicycle bell',
    is_stock_item: false,
  })
  const made = await site.api<{ id: string }>('POST', '/v1/sales-invoices', {
    customer: 'CUST-00002',
    items: [{ item_code: 'BELL', qty: 4, rate: 12.5 }],
  })
  invoice = made.id
})
test.after(() => site.close())

test('who is not signed in comes to the page after signing in; an address that is none stays a 404', async () => {
  const { page, close } = await site.open('/customers', {
    storageState: { cookies: [], origins: [] },
  })
  assert.ok(page.url().endsWith('/login?redirect-to=%2Fcustomers'), page.url())
  await close()
  const none = await fetch(`${site.url}/no-such-thing`, { headers: { Accept: 'text/html' } })
  assert.is(none.status, 404)
})

test('its files never change, come packed, and run under a strict policy', async () => {
  const { page, close } = await site.open('/')
  const script = await page.locator('script[src]').first().getAttribute('src')
  const file = await page.request.get(script ?? '', { headers: { 'Accept-Encoding': 'br' } })
  assert.is(file.headers()['content-encoding'], 'br')
  assert.is(file.headers()['cache-control'], 'public, max-age=31536000, immutable')
  const shown = await page.request.get('/', { headers: { Accept: 'text/html' } })
  const policy = shown.headers()['content-security-policy'] ?? ''
  assert.match(policy, "default-src 'self'")
  // WebAssembly alone (the reader of codes): no text becomes a script.
  assert.match(policy, "script-src 'self' 'wasm-unsafe-eval';")
  assert.not.match(policy, /(?<!wasm-)unsafe-eval/)
  // Frames and pictures may be of what the page itself has in hand; nothing of another address is framed.
  assert.match(policy, "img-src 'self' data: blob:;frame-src blob:;object-src 'none'")
  await close()
})

test('filter and sort stand in the address, and the way back keeps them', async () => {
  const { page, quiet, close } = await site.open('/customers')
  await page.getByRole('button', { name: 'Updated' }).waitFor()
  await page.getByRole('searchbox', { name: 'Search customers' }).fill('b')
  await page.waitForURL(/\?q=b$/)
  await page.getByRole('columnheader', { name: 'Name' }).first().getByRole('button').click()
  await page.waitForURL(/sort=customer_name&order=asc/)
  await page.getByRole('link', { name: 'Blue Bikes' }).click()
  await page.getByRole('heading', { name: 'Blue Bikes', level: 1 }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Anna Berger' }).waitFor()
  assert.match(page.url(), /q=b&sort=customer_name&order=asc/)
  assert.is(await page.getByRole('searchbox', { name: 'Search customers' }).inputValue(), 'b')
  quiet('customers')
  await close()
})

test('j, k and Enter go through a list, and x selects', async () => {
  const { page, close } = await site.open('/customers?sort=name&order=asc')
  const row = page.getByRole('link', { name: 'Anna Berger' })
  await row.focus()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByText('1 selected').waitFor()
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Anna Berger', level: 1 }).waitFor()
  await close()
})

test('Ctrl-K goes to a list and begins a record', async () => {
  const { page, quiet, close } = await site.open('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('new customer')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /New customer/, level: 1 }).waitFor()
  quiet('palette')
  await close()
})

test('a record is made; what is wrong with it is said at the field', async () => {
  const { page, close } = await site.open('/customers/new')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').waitFor()
  const name = page.getByLabel(/^Name|^Customer name/).first()
  assert.is(await name.getAttribute('aria-invalid'), 'true')
  await name.fill('Dora Denk')
  await page.keyboard.press('Control+s')
  await page.getByRole('heading', { name: 'Dora Denk', level: 1 }).waitFor()
  assert.match(page.url(), /\/customers\/CUST-\d+$/)
  await close()
})

test('somebody who was faster takes nothing that was typed', async () => {
  const { page, close } = await site.open('/customers/CUST-00003')
  const name = page.getByLabel(/^Name|^Customer name/).first()
  await name.fill('Carla C.')
  await page.getByText('Not saved').waitFor()
  await site.api('PATCH', '/v1/customers/CUST-00003', { customer_name: 'Carla Conti-Rossi' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Somebody else changed this meanwhile').waitFor()
  await page.getByRole('cell', { name: 'Carla Conti-Rossi' }).waitFor()
  await page.getByRole('button', { name: 'Keep mine' }).click()
  assert.is(await name.inputValue(), 'Carla C.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Carla C.', level: 1 }).waitFor()
  await close()
})

test('a document is filled by the keyboard, saved, submitted and locked; links show titles', async () => {
  const { page, quiet, close } = await site.open(`/sales-invoices/${invoice}`)
  await page.getByRole('heading', { name: 'Blue Bikes', level: 1 }).waitFor()
  const grid = page.getByRole('grid', { name: 'Items' })
  await grid.getByRole('gridcell', { name: 'Bicycle bell' }).waitFor()
  await grid.locator('[data-cell="0:1"]').click()
  await page.keyboard.type('6')
  await page.keyboard.press('Tab')
  await page.getByText('Not saved').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click()
  await page.getByText('Submitted documents are locked').waitFor()
  const { items } = await site.api<{ items: { qty: number }[] }>(
    'GET',
    `/v1/sales-invoices/${invoice}`,
  )
  assert.is(items[0]?.qty, 6)
  quiet('invoice')
  await close()
})

test('300 rows are pasted, and only those in sight are drawn', async () => {
  const { page, quiet, close } = await site.open('/sales-invoices/new')
  const grid = page.getByRole('grid', { name: 'Items' })
  await page.getByRole('button', { name: 'Add row' }).first().click()
  await page.keyboard.press('Escape')
  await grid.locator('[data-cell="0:0"]').evaluate((cell) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData(
      'text/plain',
      Array.from({ length: 300 }, (_, at) => `BELL\t${at + 1}`).join('\n'),
    )
    cell.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  })
  await page.getByText('300 rows').waitFor()
  assert.ok((await grid.getByRole('row').count()) < 60)
  quiet('paste')
  await close()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on the first pages, ${colorScheme}`, async () => {
    for (const path of [
      '/',
      '/customers',
      '/customers/CUST-00001',
      `/sales-invoices/${invoice}`,
      '/sales-invoices/new',
    ]) {
      const { page, close } = await site.open(path, { colorScheme, reducedMotion: 'reduce' })
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
      assert.equal(await violations(page), [], path)
      await close()
    }
  })
}

test('a phone shows cards and nothing beyond its edge', async () => {
  const { page, close } = await site.open('/customers', { viewport: { width: 390, height: 844 } })
  await page.locator('.cards').waitFor()
  for (const path of ['/customers', `/sales-invoices/${invoice}`]) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path)
  }
  await close()
})

test.run()
