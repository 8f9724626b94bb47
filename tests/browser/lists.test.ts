import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeskSite, openDeskSite, violations } from './desk-site.ts'

const test = suite('lists of the Desk')

let site: DeskSite

test.before(async () => {
  site = await openDeskSite()
  for (const name of ['Anna Berger', 'Blue Bikes', 'Carla Conti'])
    await site.api('POST', '/v1/customers', { customer_name: name })
  await site.api('POST', '/v1/items', {
    item_code: 'BELL',
    item_name: 'Bicycle bell',
    is_stock_item: false,
  })
  for (const [customer, rate] of [
    ['CUST-00001', 10],
    ['CUST-00002', 20],
    ['CUST-00003', 30],
  ] as const)
    await site.api('POST', '/v1/sales-invoices', {
      customer,
      items: [{ item_code: 'BELL', qty: 1, rate }],
    })
  for (const lead_name of ['Leo Lang', 'Mia Moser'])
    await site.api('POST', '/v1/leads', { lead_name, company_name: `${lead_name} & Co` })
})
test.after(() => site.close())

test('a view is saved with its columns and its sorting, shared, and found again', async () => {
  const { page, quiet, close } = await site.open('/customers?q=b')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page
    .getByRole('dialog', { name: 'Columns' })
    .getByRole('checkbox', { name: 'Language' })
    .check()
  await page.getByRole('columnheader', { name: 'Language' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('columnheader', { name: 'Name' }).first().getByRole('button').click()
  await page.waitForURL(/sort=customer_name/)
  // Sorting keeps the columns.
  await page.getByRole('columnheader', { name: 'Language' }).waitFor()
  await page.getByRole('button', { name: 'Save view' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await dialog.getByLabel('Name').fill('With a B')
  await dialog.getByLabel('Shared with').selectOption('System Manager')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/view=viw_/)
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await page.getByRole('link', { name: 'Anna Berger' }).waitFor()
  const views = page.getByRole('navigation', { name: 'Views' })
  await views.getByRole('link', { name: 'With a B' }).click()
  await page.getByRole('columnheader', { name: 'Language' }).waitFor()
  assert.match(page.url(), /q=b&sort=customer_name&order=asc/)
  await page.reload()
  assert.is(
    await views.getByRole('link', { name: 'With a B' }).getAttribute('aria-current'),
    'page',
  )
  quiet('views')
  await close()
})

test('choices are counted, and money is added up over all that matches', async () => {
  const { page, quiet, close } = await site.open('/sales-invoices')
  await page.locator('tfoot').getByText('60.00').first().waitFor()
  await page.getByRole('button', { name: 'Status' }).first().click()
  const drafts = page.getByRole('dialog', { name: 'Status' }).locator('label', { hasText: 'Draft' })
  await drafts.getByText('3', { exact: true }).waitFor()
  quiet('sums')
  await close()
})

test('Space peeks at a record and the peek goes along; Escape closes it', async () => {
  const { page, quiet, close } = await site.open('/customers?sort=customer_name&order=asc')
  await page.getByRole('link', { name: 'Anna Berger' }).focus()
  await page.keyboard.press(' ')
  const peek = page.getByRole('complementary', { name: 'Record at a glance' })
  await peek.getByRole('heading', { name: 'Anna Berger' }).waitFor()
  await page.keyboard.press('j')
  await peek.getByRole('heading', { name: 'Blue Bikes' }).waitFor()
  assert.equal(await violations(page), [])
  await page.keyboard.press('Escape')
  await peek.waitFor({ state: 'detached' })
  quiet('peek')
  await close()
})

test('F2 edits in the list: Tab goes on, and what was typed is saved', async () => {
  const { page, quiet, close } = await site.open('/leads?fields=company_name,email_id')
  await page.getByRole('link', { name: 'Leo Lang' }).focus()
  await page.keyboard.press('F2')
  const cell = page.getByRole('textbox', { name: 'Organisation' }).or(page.locator('.cell-input'))
  await cell.first().waitFor()
  await page.keyboard.type('Lang Bikes')
  await page.keyboard.press('Tab')
  await page.locator('.cell-input').waitFor()
  await page.keyboard.type('leo@lang.example')
  await page.keyboard.press('Enter')
  await page.getByRole('cell', { name: 'leo@lang.example' }).waitFor()
  await page.locator('.cell-input').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('cell', { name: 'Lang Bikes' }).waitFor()
  await page.getByRole('cell', { name: 'leo@lang.example' }).waitFor()
  quiet('inline edit')
  await close()
})

test('several records are submitted; the one that cannot be is named and stays selected', async () => {
  const { data } = await site.api<{ data: { id: string; modified: string }[] }>(
    'GET',
    '/v1/sales-invoices?fields=id&sort=name&order=asc',
  )
  const [first, second, third] = data.map(({ id }) => id)
  await site.api('POST', `/v1/sales-invoices/${second}/submit`, {})
  const { page, close } = await site.open('/sales-invoices?sort=name&order=asc')
  for (const id of [first, second, third])
    await page.locator('tr', { hasText: id }).getByRole('checkbox').check()
  const bar = page.getByRole('region', { name: 'Selected records' })
  await bar.getByRole('button', { name: 'Submit' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click()
  const failures = page.getByRole('dialog', { name: 'One record could not be changed' })
  await failures.getByText(/nothing is left to do/).waitFor()
  await failures.getByRole('button', { name: 'Close' }).click()
  await bar.getByText('1 selected').waitFor()
  for (const id of [first, third]) {
    const { docstatus } = await site.api('GET', `/v1/sales-invoices/${id}`)
    assert.is(docstatus, 1)
  }
  await close()
})

test('a card is moved over the board by the keyboard and by the mouse, and only where the flow allows', async () => {
  const { page, quiet, close } = await site.open('/leads?layout=board', {
    // All columns are in sight: what scrolls under the pointer is another card.
    viewport: { width: 2_800, height: 900 },
  })
  const column = (state: string) => page.locator(`[data-column="${state}"]`)
  const card = page.locator('.card', { hasText: 'Mia Moser' })
  await column('Open').locator(card).focus()
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  await page.locator('[data-column="Contacted"] .card', { hasText: 'Mia Moser' }).waitFor()
  await page.getByText('Mia Moser moved to Contacted').waitFor()
  assert.equal(await violations(page), [])
  await column('Open')
    .locator('.card', { hasText: 'Leo Lang' })
    .dragTo(column('Qualified').locator('ul'))
  await column('Qualified').locator('.card', { hasText: 'Leo Lang' }).waitFor()
  await page.getByText('Leo Lang moved to Qualified').waitFor()
  const { data } = await site.api<{ data: { status: string }[] }>(
    'GET',
    '/v1/leads?fields=status&sort=name&order=asc',
  )
  assert.equal(
    data.map(({ status }) => status),
    ['Qualified', 'Contacted'],
  )
  quiet('board')
  await close()
})

test('a calendar shows a month and begins a record on a day', async () => {
  const { page, quiet, close } = await site.open('/calendar-events?layout=calendar&month=2027-02')
  await page.getByRole('heading', { name: 'February 2027' }).waitFor()
  await page.getByRole('button', { name: 'Month after' }).click()
  await page.getByRole('heading', { name: 'March 2027' }).waitFor()
  await page.goto('/sales-invoices?layout=calendar')
  await page.locator('[data-today="true"]').waitFor()
  // Its day, which may be yesterday's when a test run goes on past midnight.
  const { data } = await site.api<{ data: { posting_date: string }[] }>(
    'GET',
    '/v1/sales-invoices?customer_name=Blue%20Bikes&fields=posting_date',
  )
  const day = data[0]!.posting_date
  await page.goto(`/sales-invoices?layout=calendar&month=${day.slice(0, 7)}`)
  await page.locator(`[data-day="${day}"] .entry`, { hasText: 'Blue Bikes' }).waitFor()
  await page.locator(`[data-day="${day}"] a.day`).click()
  await page.getByRole('heading', { name: 'New sales invoice', level: 1 }).waitFor()
  assert.ok((await page.locator('input[type=date]').first().inputValue()) !== '')
  quiet('calendar')
  await close()
})

test('a tree opens and folds by the keyboard', async () => {
  const { page, quiet, close } = await site.open('/accounts?layout=tree')
  const row = (name: string) => page.getByRole('row', { name })
  await page.getByRole('main').getByRole('link', { name: 'Assets', exact: true }).focus()
  await page.getByRole('link', { name: 'Current Assets', exact: true }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('link', { name: 'Current Assets', exact: true }).waitFor({ state: 'hidden' })
  assert.is(await row('Assets').first().getAttribute('aria-expanded'), 'false')
  await page.keyboard.press('ArrowRight')
  await page.getByRole('link', { name: 'Current Assets', exact: true }).waitFor()
  assert.equal(await violations(page), [])
  quiet('tree')
  await close()
})

test.run()
