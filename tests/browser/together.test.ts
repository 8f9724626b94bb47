import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeskSite, openDeskSite, violations } from './desk-site.ts'

const test = suite('people who work together at the Desk')

/** The smallest picture there is. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

let site: DeskSite
let invoice: string

test.before(async () => {
  site = await openDeskSite()
  await site.api('POST', '/v1/customers', {
    customer_name: 'Anna Berger',
    email_id: 'anna@example.com',
  })
  await site.api('POST', '/v1/users', {
    email: 'bob@example.com',
    full_name: 'Bob Berg',
    roles: [{ role: 'Accounts Manager' }],
  })
  await site.api('POST', '/v1/items', {
    item_code: 'BELL',
    item_name: 'Bicycle bell',
    is_stock_item: false,
  })
  const made = await site.api<{ id: string }>('POST', '/v1/sales-invoices', {
    customer: 'CUST-00001',
    items: [{ item_code: 'BELL', qty: 4, rate: 12.5 }],
  })
  invoice = made.id
})
test.after(() => site.close())

/** Waits until a page hears of changes: what happens before is not told. */
async function heard(page: Page): Promise<void> {
  await page.locator('[data-live=true]').waitFor({ state: 'attached' })
}

test('a comment finds the people it mentions; a record is assigned; changes are told', async () => {
  const { page, quiet, close } = await site.open(`/sales-invoices/${invoice}`)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  const box = timeline.getByRole('textbox', { name: 'Your comment' })
  await box.fill('Please look, ')
  await box.pressSequentially('@bob')
  await timeline.getByRole('option', { name: /Bob Berg/ }).waitFor()
  await box.press('Enter')
  await timeline.getByRole('listbox').waitFor({ state: 'detached' })
  assert.is(await box.inputValue(), 'Please look, @bob@example.com ')
  await box.press('Control+Enter')
  await timeline.locator('.said b', { hasText: '@bob@example.com' }).waitFor()
  assert.is(await box.inputValue(), '')
  await timeline.getByRole('button', { name: 'Assign' }).first().click()
  const sheet = page.getByRole('dialog', { name: 'Assign' })
  await sheet.getByRole('combobox').fill('Bob')
  await sheet.getByRole('option', { name: /Bob Berg/ }).click()
  await sheet.getByLabel('What to do').fill('Ask for the order number')
  await sheet.getByRole('button', { name: 'Assign' }).click()
  await timeline.locator('[data-kind=assigned]', { hasText: 'Ask for the order number' }).waitFor()
  await page.getByRole('grid', { name: 'Items' }).locator('[data-cell="0:1"]').click()
  await page.keyboard.type('6')
  await page.keyboard.press('Control+s')
  const changed = timeline.locator('[data-kind=changed]')
  await changed.getByText('Quantity').waitFor()
  assert.is(await changed.locator('del').first().textContent(), '4')
  assert.is(await changed.locator('ins').first().textContent(), '6')
  assert.equal(await violations(page), [])
  // People are called by their names.
  await page.goto('/todos')
  await page.getByRole('main').getByText('Bob Berg').first().waitFor()
  await page.getByRole('main').locator('[data-row]').first().click()
  await page.locator('[data-form=todos]').waitFor()
  const to = page.getByRole('combobox', { name: 'Allocated to' })
  assert.is(await to.inputValue(), 'Bob Berg')
  quiet('timeline')
  await close()
})

test('files are chosen and dropped, shown small, and taken away', async () => {
  const { page, quiet, close } = await site.open(`/sales-invoices/${invoice}`)
  const files = page.getByRole('region', { name: 'Files' })
  await files
    .getByLabel('Attach')
    .and(page.locator('input'))
    .setInputFiles({ name: 'bell.png', mimeType: 'image/png', buffer: PIXEL })
  await files.getByRole('link', { name: 'bell.png' }).waitFor()
  const small = files.locator('img')
  await small.evaluate((image: HTMLImageElement) => image.decode())
  await page.locator('.record-main').evaluate((body) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['four bells'], 'note.txt', { type: 'text/plain' }))
    body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  })
  await files.getByRole('link', { name: 'note.txt' }).waitFor()
  await files.getByRole('button', { name: 'Remove note.txt' }).click()
  await files.getByRole('link', { name: 'note.txt' }).waitFor({ state: 'detached' })
  quiet('files')
  await close()
})

test('a paper goes by mail as its sheet is shown, and by a link that can be ended', async () => {
  const { page, close } = await site.open(`/sales-invoices/${invoice}`)
  const more = page.locator('[data-more] > button')
  await more.click()
  await page.getByRole('menuitem', { name: 'Send by mail' }).click()
  const mail = page.getByRole('dialog', { name: 'Send to Anna Berger' })
  await mail.getByRole('region', { name: 'Preview' }).locator('.sheet').waitFor()
  await mail.getByLabel('To', { exact: false }).first().fill('no address')
  await mail.getByRole('button', { name: 'Send' }).click()
  await mail.getByText('expected at most 20 e-mail addresses').waitFor()
  await mail.getByLabel('To', { exact: false }).first().fill('anna@example.com')
  await mail.getByLabel('Message').fill('Here is your invoice.')
  await mail.getByRole('button', { name: 'Send' }).click()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.locator('[data-kind=mail]').waitFor()
  await more.click()
  await page.getByRole('menuitem', { name: 'Public link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Public link' })
  await dialog.getByText(/^Until /).waitFor()
  const address = await dialog.getByLabel('Web address').inputValue()
  assert.is((await fetch(address)).status, 200)
  await dialog.getByRole('button', { name: 'End this link' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.is((await fetch(address)).status, 404)
  await close()
})

test('what others change appears by itself: in the list, beside it, in the record, in its talk', async () => {
  const { page, quiet, close } = await site.open('/customers')
  await page.getByRole('link', { name: 'Anna Berger' }).focus()
  await page.keyboard.press(' ')
  const peek = page.locator('.peek-body')
  await peek.getByRole('heading', { name: 'Anna Berger' }).waitFor()
  await heard(page)
  await site.api('PATCH', '/v1/customers/CUST-00001', { customer_name: 'Anna Bergmann' })
  await page.getByRole('link', { name: 'Anna Bergmann' }).waitFor()
  await peek.getByRole('heading', { name: 'Anna Bergmann' }).waitFor()
  await site.api('POST', '/v1/customers', { customer_name: 'Zoe Zander' })
  await page.getByRole('link', { name: 'Zoe Zander' }).waitFor()
  await page.goto('/customers/CUST-00001')
  await page.getByRole('heading', { name: 'Anna Bergmann', level: 1 }).waitFor()
  await heard(page)
  await site.api('POST', '/v1/customers/CUST-00001/comments', { text: 'Moved to Graz.' })
  await page.locator('.said', { hasText: 'Moved to Graz.' }).waitFor()
  quiet('the stream')
  await close()
})

test('a change elsewhere merges with what is typed; one of the same field asks at once', async () => {
  const { page, quiet, close } = await site.open('/customers/CUST-00001')
  const name = page.getByLabel(/^Name|^Customer name/).first()
  await name.fill('Anna B.')
  await page.getByText('Not saved').waitFor()
  await heard(page)
  await site.api('PATCH', '/v1/customers/CUST-00001', { tax_id: 'ATU12345678' })
  await page.waitForFunction(() =>
    [...document.querySelectorAll('input')].some(({ value }) => value === 'ATU12345678'),
  )
  assert.is(await name.inputValue(), 'Anna B.')
  await site.api('PATCH', '/v1/customers/CUST-00001', { customer_name: 'Anna Bauer' })
  await page.getByRole('alert', { name: 'Somebody else changed this meanwhile' }).waitFor()
  await page.getByRole('cell', { name: 'Anna Bauer' }).waitFor()
  assert.is(await name.inputValue(), 'Anna B.')
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await page.keyboard.press('Control+s')
  await page.getByRole('heading', { name: 'Anna B.', level: 1 }).waitFor()
  const { customer_name: kept, tax_id } = await site.api('GET', '/v1/customers/CUST-00001')
  assert.equal([kept, tax_id], ['Anna B.', 'ATU12345678'])
  quiet('merging')
  await close()
})

test('the bell counts what is new and leads to it; the inbox keeps it', async () => {
  const { page, quiet, close } = await site.open('/')
  const { data } = await site.api<{ data: { id: string }[] }>('GET', '/v1/users?fields=id&limit=9')
  const me = data.find(({ id }) => id !== 'bob@example.com')?.id ?? ''
  const bell = page.getByRole('button', { name: 'Nothing new' })
  await bell.waitFor()
  await heard(page)
  for (const text of [`@${me} first`, `@${me} second`])
    await site.api('POST', '/v1/customers/CUST-00001/comments', { text })
  await page.getByRole('button', { name: '2 unread' }).click()
  const sheet = page.getByRole('dialog', { name: 'Notifications' })
  await sheet.getByText(/ second$/).waitFor()
  assert.equal(await violations(page), [])
  await sheet.getByRole('link', { name: / first/ }).click()
  await page.waitForURL('**/customers/CUST-00001')
  await page.getByRole('button', { name: '1 unread' }).waitFor()
  await page.goto('/inbox')
  await page
    .locator('.inbox .notifications')
    .getByText(/ second$/)
    .waitFor()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByText('All read').waitFor()
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await page.locator('.inbox [data-read=true]').nth(1).waitFor()
  assert.equal(await violations(page), [])
  quiet('the bell')
  await close()
})

test('what others change between the first read and the first stream appears too', async () => {
  const body = { customer_name: 'Vera Vogel' }
  const { id } = await site.api<{ id: string }>('POST', '/v1/customers', body)
  const { page, quiet, close } = await site.open('/healthz')
  await page.route('**/v1/stream*', async (route) => {
    // The list is there, and nobody listens yet.
    await page.getByRole('link', { name: 'Vera Vogel' }).waitFor()
    await site.api('PATCH', `/v1/customers/${id}`, { customer_name: 'Vera Vogt' })
    await route.continue()
  })
  await page.goto('/customers')
  await page.getByRole('link', { name: 'Vera Vogt' }).waitFor()
  quiet('first stream')
  await close()
})

test('a lost connection is said, and what was missed comes when it is back', async () => {
  const { page, close } = await site.open('/customers')
  await page.getByRole('link', { name: 'Zoe Zander' }).waitFor()
  await heard(page)
  await page.context().setOffline(true)
  await page.getByText('You are offline').waitFor()
  await site.api('POST', '/v1/customers', { customer_name: 'Yves Young' })
  await page.context().setOffline(false)
  await page.getByText('You are offline').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Yves Young' }).waitFor()
  await close()
})

test.run()
