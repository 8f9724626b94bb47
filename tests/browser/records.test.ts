import type { Request } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../cli/process.ts'
import { type DeskSite, openDeskSite, violations } from './desk-site.ts'

const test = suite('records of the Desk')

let site: DeskSite

test.before(async () => {
  site = await openDeskSite()
  for (const name of ['Anna Berger', 'Blue Bikes'])
    await site.api('POST', '/v1/customers', { customer_name: name })
  await site.api('POST', '/v1/items', {
    item_code: 'BELL',
    item_name: 'Bicycle bell',
    is_stock_item: false,
  })
})
test.after(() => site.close())

function invoice(rate: number): Promise<{ id: string }> {
  return site.api('POST', '/v1/sales-invoices', {
    customer: 'CUST-00002',
    items: [{ item_code: 'BELL', qty: 2, rate }],
  })
}

test('an invoice is made, submitted and paid without a mouse', async () => {
  const { page, quiet, close } = await site.open('/sales-invoices')
  await page.getByRole('heading', { name: 'Sales invoices', level: 1 }).waitFor()
  await page.keyboard.press('c')
  await page.getByRole('heading', { name: 'New sales invoice' }).waitFor()
  const customer = page.getByRole('combobox', { name: 'Customer', exact: true })
  await customer.waitFor()
  // A new record begins in its first field.
  assert.is(await customer.evaluate((input) => input === document.activeElement), true)
  await page.keyboard.type('anna')
  await page.getByRole('option', { name: /Anna Berger/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add row' }).first().focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('bell')
  await page.getByRole('option', { name: /Bicycle bell/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('gridcell', { name: 'Bicycle bell' }).waitFor()
  await page.keyboard.type('4')
  await page.keyboard.press('Tab')
  // What follows from the row may bring further columns.
  await page.locator('.record-main[data-old=false]').waitFor()
  const grid = page.getByRole('grid', { name: 'Items' })
  const price = await grid
    .getByRole('columnheader', { name: 'Price', exact: true })
    .getAttribute('aria-colindex')
  await grid.locator(`[data-cell="0:${Number(price) - 2}"]`).focus()
  await page.locator(`[data-cell="0:${Number(price) - 2}"]`).press('Enter')
  await page.keyboard.type('25')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Control+s')
  await page.getByRole('heading', { name: 'Anna Berger', level: 1 }).waitFor()
  await page.keyboard.press('Control+Enter')
  const dialog = page.getByRole('dialog', { name: 'Submit?' })
  await dialog.getByRole('table', { name: 'General ledger entries' }).waitFor()
  await dialog.getByRole('cell', { name: 'Debtors' }).first().waitFor()
  assert.equal(await violations(page), [])
  await page.keyboard.press('Enter')
  await page.getByText('Submitted documents are locked').waitFor()
  // The next action of an invoice is its payment.
  await page.keyboard.press('Control+Enter')
  await page.waitForURL(/\/payment-entries\//)
  await page
    .locator('[data-form="payment-entries"]')
    .getByRole('button', { name: 'Submit' })
    .waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog', { name: 'Submit?' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Submitted documents are locked').waitFor()
  const flow = page.getByRole('navigation', { name: 'Documents before and after' })
  await flow.getByText('Paid', { exact: true }).waitFor()
  assert.equal(await violations(page), [])
  quiet('keyboard')
  await close()
})

test('a number says why it is what it is, and leads to what it was made of', async () => {
  const { id } = await invoice(12.5)
  const { page, quiet, close } = await site.open(`/sales-invoices/${id}`)
  await page.locator('.totals > div', { hasText: 'Grand total' }).getByRole('button').click()
  const sheet = page.getByRole('dialog', { name: /^Why / })
  await sheet.getByText(/\.yaml:\d+$/).waitFor()
  await sheet.getByRole('button', { name: 'Net total' }).first().click()
  await sheet.getByText('Net total', { exact: true }).waitFor()
  await sheet.getByRole('button', { name: 'Back' }).click()
  assert.equal(await violations(page), [])
  quiet('explanation')
  await close()
})

test('money is read with its groups and its currency, and typed without', async () => {
  const { id } = await invoice(1234.5)
  const { page, quiet, close } = await site.open(`/sales-invoices/${id}`)
  const grid = page.getByRole('grid', { name: 'Items' })
  const price = await grid
    .getByRole('columnheader', { name: 'Price', exact: true })
    .getAttribute('aria-colindex')
  const cell = grid.locator(`[data-cell="0:${Number(price) - 2}"]`)
  await cell.getByText(/^\D1,234\.50$/).waitFor()
  await cell.press('Enter')
  assert.is(await cell.getByRole('textbox').inputValue(), '1234.5')
  await page.keyboard.press('Escape')
  await page.goto('/leads/new')
  const amount = page.getByLabel('Expected amount')
  await amount.fill('2500.5')
  await amount.blur()
  assert.match(await amount.inputValue(), /^\D2,500\.50$/)
  // What is typed takes the place of what stands there.
  await amount.focus()
  assert.is(await amount.inputValue(), '2500.5')
  await page.keyboard.type('3000')
  assert.is(await amount.inputValue(), '3000')
  await page.keyboard.press('Tab')
  assert.match(await amount.inputValue(), /^\D3,000\.00$/)
  quiet('money')
  await close()
})

test('a submit is taken back: the invoice is cancelled and its copy is a draft', async () => {
  const { id } = await invoice(8)
  const { page, quiet, close } = await site.open(`/sales-invoices/${id}`)
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click()
  await page.getByText('Submitted documents are locked').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.waitForURL(new RegExp(`${id}-1$`))
  await page.getByText('Taken back').waitFor()
  assert.is((await site.api('GET', `/v1/sales-invoices/${id}`)).docstatus, 2)
  assert.is((await site.api('GET', `/v1/sales-invoices/${id}-1`)).docstatus, 0)
  quiet('undo')
  await close()
})

test('a saved change and a deletion are taken back', async () => {
  const { page, quiet, close } = await site.open('/customers/CUST-00001')
  const name = page.getByLabel(/^Name|^Customer name/).first()
  await name.fill('Anna B.')
  await page.keyboard.press('Control+s')
  await page.getByRole('heading', { name: 'Anna B.', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { name: 'Anna Berger', level: 1 }).waitFor()
  const { id } = await invoice(3)
  await page.goto(`/sales-invoices/${id}`)
  await page.getByRole('heading', { name: 'Blue Bikes', level: 1 }).waitFor()
  await page.keyboard.press('.')
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Sales invoices', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { name: 'Blue Bikes', level: 1 }).waitFor()
  await page.getByRole('gridcell', { name: 'Bicycle bell' }).waitFor()
  quiet('undo')
  await close()
})

test('what somebody else changes in another field meanwhile is kept with what was typed', async () => {
  const { page, close } = await site.open('/customers/CUST-00002')
  await page
    .getByLabel(/^Name|^Customer name/)
    .first()
    .fill('Blue Bikes Ltd')
  await site.api('PATCH', '/v1/customers/CUST-00002', { language: 'de' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Blue Bikes Ltd', level: 1 }).waitFor()
  const kept = await site.api('GET', '/v1/customers/CUST-00002')
  assert.equal([kept.customer_name, kept.language], ['Blue Bikes Ltd', 'de'])
  await site.api('PATCH', '/v1/customers/CUST-00002', { customer_name: 'Blue Bikes' })
  await close()
})

test('a document is shown on its paper, a link beside the page, and a state is chosen from the head', async () => {
  const { id } = await invoice(5)
  const { page, quiet, close } = await site.open(`/sales-invoices/${id}`)
  await page.getByRole('heading', { name: 'Blue Bikes', level: 1 }).waitFor()
  await page.keyboard.press('p')
  await page.waitForURL(/mode=paper/)
  const paper = page.getByRole('region', { name: 'Paper' })
  await paper.getByText(id).first().waitFor()
  await site.api('POST', `/v1/sales-invoices/${id}/submit`, {})
  await page.goto(`/sales-invoices/${id}`)
  await page.locator('.record-main').getByRole('link', { name: 'Blue Bikes' }).click()
  const peek = page.getByRole('complementary', { name: 'Record at a glance' })
  await peek.getByRole('heading', { name: 'Blue Bikes' }).waitFor()
  assert.match(page.url(), new RegExp(`${id}$`))
  const lead = await site.api<{ id: string }>('POST', '/v1/leads', { lead_name: 'Leo Lang' })
  await page.goto(`/leads/${lead.id}`)
  await page.getByRole('button', { name: 'Move to another state' }).click()
  await page.getByRole('menuitem', { name: 'Qualified' }).click()
  await page.locator('.record-title').getByText('Qualified').waitFor()
  quiet('paper')
  await close()
})

test('an action that has to be told something asks for it', async () => {
  const made = await site.api<{ id: string }>('POST', '/v1/quotations', {
    customer: 'CUST-00001',
    items: [{ item_code: 'BELL', qty: 1, rate: 5 }],
  })
  await site.api('POST', `/v1/quotations/${made.id}/submit`, {})
  const { page, close } = await site.open(`/quotations/${made.id}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('.')
  const entry = page.getByRole('menuitem', { name: /…$/ }).first()
  const label = ((await entry.textContent()) ?? '').replace('…', '')
  await entry.click()
  const dialog = page.getByRole('dialog', { name: label })
  await dialog.getByRole('button', { name: label }).waitFor()
  assert.equal(await violations(page), [])
  await close()
})

test('a link finds nothing: what it is to lead to is made on the way, and taken', async () => {
  const { page, quiet, close } = await site.open('/sales-invoices/new')
  const customer = page.getByRole('combobox', { name: 'Customer', exact: true })
  await customer.fill('Emil Ernst')
  await page.getByRole('option', { name: 'New customer “Emil Ernst”' }).click()
  const dialog = page.getByRole('dialog', { name: 'New customer' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.is(await customer.inputValue(), 'Emil Ernst')
  await page.getByRole('button', { name: 'Add row' }).first().click()
  await page.keyboard.type('Bell repair')
  await page.getByText('Nothing found').waitFor()
  await page.keyboard.press('Enter')
  const item = page.getByRole('dialog', { name: 'New item' })
  await item.getByLabel(/code/i).first().fill('BELL-REPAIR')
  await item.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('grid', { name: 'Items' }).getByText('Bell repair').waitFor()
  quiet('made on the way')
  await close()
})

test('what was typed and not saved survives a reload: it is offered, and gone once it is saved', async () => {
  const { page, quiet, close } = await site.open('/customers/new')
  page.on('dialog', (dialog) => void dialog.accept())
  const name = page.getByLabel(/^Name|^Customer name/).first()
  await name.fill('Dora Denk')
  await page.getByText('Not saved').waitFor()
  await page.reload()
  const offer = page.getByRole('region', { name: 'Changes that are not saved' })
  await offer.waitFor()
  assert.is(await name.inputValue(), '')
  await offer.getByRole('button', { name: 'Go on with it' }).click()
  assert.is(await name.inputValue(), 'Dora Denk')
  await page.keyboard.press('Control+s')
  await page.getByRole('heading', { name: 'Dora Denk', level: 1 }).waitFor()
  await page.goto('/customers/new')
  await name.waitFor()
  assert.is(await offer.count(), 0)
  quiet('a kept draft')
  await close()
})

test('what is still asked about a draft is given up as it is saved', async () => {
  const { page, quiet, close } = await site.open('/items/new')
  const asked: Request[] = []
  const saved = Promise.withResolvers<void>()
  // Nobody answers: once the record is there, the question would find its name taken.
  await page.route('**/v1/items?_preview=1', (route) => void asked.push(route.request()))
  await page.route('**/v1/items', async (route) => {
    await saved.promise
    await route.continue()
  })
  await page.getByLabel('Item code').first().fill('LAMP')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Lamp')
  await eventually(() => asked.some((one) => one.postData()?.includes('Lamp') === true))
  await page.keyboard.press('Control+s')
  await eventually(() => asked.every((one) => one.failure()?.errorText === 'net::ERR_ABORTED'))
  saved.resolve()
  await page.getByRole('heading', { name: 'Lamp', level: 1 }).waitFor()
  quiet('a draft that is saved while something is asked about it')
  await close()
})

test('? tells all keys', async () => {
  const { page, close } = await site.open('/customers')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: /^Help/ }).getByText('The next action').waitFor()
  assert.equal(await violations(page), [])
  await close()
})

test('a draft is edited on its own paper, where what is changed stands', async () => {
  const { id } = await invoice(10)
  const { page, quiet, close } = await site.open(`/sales-invoices/${id}?mode=paper`)
  const paper = page.getByRole('region', { name: 'Paper' })
  const total = paper.locator('.totals .strong td')
  const before = (await total.textContent()) ?? ''
  await paper.locator('td[data-field=qty] .edit').first().click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('3')
  await page.keyboard.press('Enter')
  await total.filter({ hasNotText: before }).waitFor()
  const { items } = await site.api<{ items: { qty: number }[] }>('GET', `/v1/sales-invoices/${id}`)
  assert.equal(
    items.map(({ qty }) => qty),
    [3],
  )
  assert.equal(await violations(page), [])
  quiet('paper')
  await close()
})

test.run()
