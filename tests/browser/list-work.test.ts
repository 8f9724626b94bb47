import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeskSite, openDeskSite, violations } from './desk-site.ts'

const test = suite('work with many records in the Desk')

/** More than a page of the list has. */
const COUNT = 60

let site: DeskSite

test.before(async () => {
  site = await openDeskSite()
  for (let at = 1; at <= COUNT; at += 1)
    await site.api('POST', '/v1/leads', { lead_name: `Lead ${String(at).padStart(2, '0')}` })
})
test.after(() => site.close())

const bar = (page: Page) => page.getByRole('region', { name: 'Selected records' })
const countOf = async (query: string): Promise<number> =>
  (await site.api<{ meta: { total: number } }>('GET', `/v1/leads?fields=id&limit=1&${query}`)).meta
    .total

test('a field of all records that match is changed as a job, and put back', async () => {
  const { page, quiet, close } = await site.open('/leads?q=Lead')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await bar(page).getByText('50 selected').waitFor()
  await bar(page).getByRole('button', { name: 'Select all 60 that match' }).click()
  await bar(page).getByText('60 selected').waitFor()
  await bar(page).getByRole('button', { name: 'Edit field' }).click()
  const sheet = page.getByRole('dialog', { name: 'Edit field' })
  await sheet.getByLabel('Field').selectOption({ label: 'Company' })
  await sheet.getByLabel('New value').fill('Acme')
  await sheet.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('60 of 60 done').waitFor()
  assert.is(await countOf('company_name=Acme'), COUNT)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Taken back').waitFor()
  assert.is(await countOf('company_name=Acme'), 0)
  quiet('bulk')
  await close()
})

test('a file is brought in: its columns are known, a trial names the cell, it is mended, and all is taken back', async () => {
  const { page, quiet, close } = await site.open('/leads')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Import' }).click()
  await page.waitForURL(/\/leads\/import$/)
  await page
    .getByLabel('Or paste rows')
    .fill('Name\tMail\tNote\nIda\tida@x.example\ta\nJan\tnone\tb')
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByLabel('Name', { exact: true }).waitFor()
  await page.getByLabel('Mail', { exact: true }).selectOption('email_id')
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByText('1 would be new, 0 changed, 1 have something to correct').waitFor()
  assert.equal(await violations(page), [])
  const cell = page.getByRole('textbox', { name: 'Mail 3' })
  assert.is(await cell.getAttribute('aria-invalid'), 'true')
  await cell.fill('jan@x.example')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('2 would be new').waitFor()
  await page.getByRole('button', { name: 'Import 2' }).click()
  await page.waitForURL(/job=job_/)
  await page.getByText('2 new, 0 changed, 0 refused').waitFor()
  assert.is(await countOf('email_id__like=x.example'), 2)
  await page.reload()
  await page.getByRole('button', { name: 'Take the import back' }).click()
  await page.getByRole('button', { name: 'Take the import back' }).waitFor({ state: 'detached' })
  assert.is(await countOf('email_id__like=x.example'), 0)
  quiet('import')
  await close()
})

test('columns are made wider and moved, and stay so; two of them sort', async () => {
  const { page, quiet, close } = await site.open('/leads')
  const head = (name: string) => page.getByRole('columnheader', { name })
  await head('Status').getByRole('button').focus()
  const names = () =>
    page
      .locator('th[data-column-name]')
      .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.columnName))
  const before = await names()
  await page.keyboard.press('Alt+Shift+ArrowRight')
  await page.waitForURL(/fields=/)
  assert.is((await names()).indexOf('status'), before.indexOf('status') + 1)
  const kept = page.waitForResponse((one) => one.url().endsWith('/v1/me/settings/desk'))
  await page.keyboard.press('Alt+ArrowRight')
  await kept
  const width = await head('Status').evaluate((one) => (one as HTMLElement).style.width)
  assert.match(width, /^\d+px$/)
  await page.goto('/leads')
  await head('Status').waitFor()
  assert.is(await head('Status').evaluate((one) => (one as HTMLElement).style.width), width)
  assert.is((await names()).indexOf('status'), before.indexOf('status') + 1)
  await head('Status').getByRole('button').click()
  await page.waitForURL(/sort=status&order=asc/)
  await head('Name')
    .first()
    .getByRole('button')
    .click({ modifiers: ['Shift'] })
  await page.waitForURL(/sort=status%2Clead_name/)
  await page.getByRole('link', { name: 'Lead 01' }).waitFor()
  quiet('columns')
  await close()
})

test('filters are found by typing; one that nothing passes is named', async () => {
  const { page, quiet, close } = await site.open('/leads?sort=lead_name&order=desc')
  await page.getByRole('link', { name: 'Lead 60' }).focus()
  await page.keyboard.press('f')
  const sheet = page.getByRole('dialog', { name: 'Filter' })
  await sheet.getByRole('combobox', { name: 'Field' }).fill('compan')
  await page.keyboard.press('Enter')
  await sheet.getByLabel('Value').fill('Nobody')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  await page.getByRole('button', { name: /^Without “Company is Nobody”: 60/ }).click()
  await page.getByRole('link', { name: 'Lead 60' }).waitFor()
  // A day that goes with the day it is looked at.
  await page.keyboard.press('f')
  await sheet.getByRole('combobox', { name: 'Field' }).fill('creat')
  await page.keyboard.press('Enter')
  await sheet.getByLabel('Condition').selectOption('lt')
  await sheet.getByLabel('When').selectOption({ label: 'Today' })
  await sheet.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  assert.is(new URL(page.url()).searchParams.get('created__lt'), 'today')
  await page.getByRole('button', { name: /^Without “Created less than today”: 60/ }).click()
  await page.getByRole('link', { name: 'Lead 60' }).waitFor()
  quiet('filters')
  await close()
})

test('what is chosen is saved as a file, and an empty list says what comes before it', async () => {
  const { page, quiet, close } = await site.open('/leads?sort=lead_name&order=asc')
  await page.locator('tr', { hasText: 'Lead 01' }).getByRole('checkbox').check()
  const saved = page.waitForEvent('download')
  await bar(page).getByRole('button', { name: 'Export' }).click()
  const text = readFileSync(await (await saved).path(), 'utf8')
  assert.match(text, /^id,/)
  assert.is(text.trim().split('\r\n').length, 2)
  assert.ok(text.includes('Lead 01'))
  await page.goto('/sales-orders')
  await page.getByText('First there has to be one of these:').first().waitFor()
  await page.getByRole('link', { name: 'New customer' }).click()
  await page.getByRole('heading', { name: 'New customer', level: 1 }).waitFor()
  quiet('export')
  await close()
})

test('an appointment is moved to another day by the keys and by the mouse', async () => {
  const { id } = await site.api<{ id: string }>('POST', '/v1/calendar-events', {
    subject: 'Fair',
    starts_on: '2027-02-10T09:00:00Z',
    ends_on: '2027-02-10T10:00:00Z',
  })
  const { page, quiet, close } = await site.open('/calendar-events?layout=calendar&month=2027-02')
  const day = (date: string) => page.locator(`[data-day="2027-02-${date}"]`)
  const entry = page.locator('.entry', { hasText: 'Fair' })
  await day('10').locator(entry).focus()
  await page.keyboard.press('Shift+ArrowRight')
  await day('11').locator(entry).waitFor()
  await page.getByText(/^Fair moved to/).waitFor()
  await day('11').locator(entry).dragTo(day('18'))
  await day('18').locator(entry).waitFor()
  await page
    .getByText('Fair moved to 18 Feb 2027')
    .or(page.getByText('Fair moved to Feb 18, 2027'))
    .waitFor()
  const { starts_on, ends_on } = await site.api('GET', `/v1/calendar-events/${id}`)
  assert.equal([starts_on, ends_on], ['2027-02-18T09:00:00.000Z', '2027-02-18T10:00:00.000Z'])
  quiet('calendar')
  await close()
})

test('Ctrl-K finds a record and does what the page can do; single keys are turned off and on', async () => {
  const { page, quiet, close } = await site.open('/leads')
  await page.getByRole('link', { name: 'New lead' }).waitFor()
  const box = page.getByRole('combobox', { name: 'Search or jump to…' })
  await page.keyboard.press('Control+k')
  await box.fill('Lead 07')
  await page.getByRole('option', { name: 'Lead 07' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Lead 07' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'New lead' }).waitFor()
  await page.keyboard.press('Control+k')
  await box.fill('import')
  await page.getByRole('option', { name: 'Import On this page' }).click()
  await page.getByRole('heading', { level: 1, name: 'Import leads' }).waitFor()
  await page.getByRole('heading', { level: 1, name: 'Import leads' }).click()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: /^Help/ })
  const kept = page.waitForResponse((one) => one.url().endsWith('/v1/me/settings/desk'))
  await keys.getByRole('button', { name: 'Turn single keys off' }).click()
  await keys.getByRole('button', { name: 'Turn single keys on' }).waitFor()
  await kept
  assert.ok(await page.locator('html').evaluate((one) => one.hasAttribute('data-quiet-keys')))
  await keys.getByRole('button', { name: 'Turn single keys on' }).click()
  await keys.getByRole('button', { name: 'Turn single keys off' }).waitFor()
  quiet('palette')
  await close()
})

test.run()
