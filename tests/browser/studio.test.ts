import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { type DeskSite, openDeskSite, violations } from './desk-site.ts'
import { picture } from './pictures.ts'
import { addField, lookAndSave, say, sayWords, type Words } from './studio-hand.ts'

const test = suite('Studio, in the Desk')

let site: DeskSite
test.before(async () => {
  site = await openDeskSite()
})
test.after(() => site.close())

const VIEW = { viewport: { width: 1440, height: 900 } }

test('a field is added to a form that comes with the program, and taken back', async () => {
  const { page, quiet, close } = await site.open('/customers', VIEW)
  await page.getByRole('button', { name: 'More', exact: true }).first().click()
  await page.getByRole('menuitem', { name: 'Change this form' }).click()
  await page.getByRole('heading', { level: 1, name: 'Change Customer' }).waitFor()
  await page.getByLabel('A new field').fill('Loyalty level')
  await page.getByLabel('Type of the field').selectOption('select')
  await page.getByRole('button', { name: 'Add the field' }).click()
  const panel = page.getByRole('region', { name: 'Loyalty Level' })
  await panel.getByRole('textbox', { name: 'Options' }).fill('Bronze\nGold')
  await panel.getByRole('checkbox', { name: 'Filterable' }).check()
  assert.equal(await unsaid(page), [])
  assert.equal(await violations(page), [])
  await picture('studio-form', page)
  await page.getByRole('button', { name: 'Look at the changes' }).click()
  const review = page.getByRole('dialog', { name: 'What the change comes to' })
  await review.getByText('loyalty_level: {type: select').waitFor()
  await review
    .getByText(/add .*loyalty_level/i)
    .first()
    .waitFor()
  assert.equal(await violations(page), [])
  await picture('studio-review', page)
  await review.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Customer is saved and holds now').waitFor()
  const { fields } = await site.api<{ fields: { name: string }[] }>(
    'GET',
    '/v1/resources/customers',
  )
  assert.ok(fields.some(({ name }) => name === 'loyalty_level'))
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Customer is as it was before').waitFor()
  const after = await site.api<{ fields: { name: string }[] }>('GET', '/v1/resources/customers')
  assert.not.ok(after.fields.some(({ name }) => name === 'loyalty_level'))
  quiet('studio')
  await close()
})

/** Variables of Mantine that the styles of a page ask for and nobody has said: a box would look unchecked, a border black. */
function unsaid(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const rules = [...document.styleSheets].flatMap(({ cssRules }) =>
      [...cssRules].map(({ cssText }) => cssText),
    )
    const own = [...document.querySelectorAll('[style]')].map((one) => one.getAttribute('style'))
    const asked = [...rules, ...own].join('\n').matchAll(/var\((--mantine-[\w-]+)\)/g)
    const root = getComputedStyle(document.documentElement)
    return [...new Set([...asked].map(([, name = '']) => name))].filter(
      (name) => root.getPropertyValue(name) === '',
    )
  })
}

test('each part is whole on a phone, in the dark, and is told to who cannot see it', async () => {
  const { page, quiet, close } = await site.open('/sales-invoices/studio', {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  })
  await page.getByRole('heading', { level: 1, name: 'Change Sales Invoice' }).waitFor()
  const parts = page.getByRole('navigation', { name: 'Studio' }).getByRole('button')
  for (const part of await parts.all()) {
    await part.click()
    const name = `${await part.textContent()}`
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name)
    assert.equal(await violations(page), [], name)
  }
  await parts.first().click()
  await page.getByRole('button', { name: /^Items/ }).click()
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  assert.equal(await violations(page), [])
  quiet('phone')
  await close()
})

test('a form is changed by keys alone: a field is moved, hidden, and the change looked at', async () => {
  const { page, quiet, close } = await site.open('/leads/studio', VIEW)
  const names = () => page.locator('.studio-field span').allTextContents()
  await page.locator('.studio-field').first().focus()
  const [first, second, ...rest] = await names()
  await page.keyboard.press('Alt+ArrowDown')
  assert.equal(await names(), [second, first, ...rest])
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Hide', exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Look at the changes' }).press('Enter')
  const review = page.getByRole('dialog', { name: 'What the change comes to' })
  await review.getByText('hidden: true').waitFor()
  await review.getByText('place:').waitFor()
  await page.keyboard.press('Escape')
  await review.waitFor({ state: 'detached' })
  quiet('keys')
  await close()
})

const RENTAL = join(import.meta.dirname, '../../docs/examples/rental')

function written(file: string): Words {
  return parse(readFileSync(join(RENTAL, file), 'utf8')) as Words
}

test('the rental business is built by clicks alone, and says what its files say', async () => {
  const bike = written('bike.yaml')
  const damage = written('damage-report.yaml')
  const { extend: _e, doctype: _d, ...paper } = written('rental-agreement-paper.yaml')
  const agreement = { ...written('rental-agreement.yaml'), ...paper }
  const fields = bike.fields as Words
  const { days_rented, earned, open_damages, ...first } = fields
  const { page, quiet, close } = await site.open('/studio/new', VIEW)

  // A bike first, without what other definitions bring in.
  const { status, list, ...rest } = bike
  await begin(page, 'Bike', 'Rental')
  await say(page, { ...rest, fields: first })
  await picture('studio-new', page)
  assert.equal(await violations(page), [])
  await lookAndSave(page, 'Bike')
  await page.waitForURL('**/bikes')

  await page.goto('/studio/new')
  const { validate, ...without } = agreement as Words & { validate: readonly Words[] }
  await begin(page, 'Rental Agreement')
  await say(page, { ...without, validate: validate.slice(0, 2) })
  await page.getByRole('button', { name: 'Rules', exact: true }).click()
  assert.equal(await violations(page), [])
  await lookAndSave(page, 'Rental Agreement')

  await page.goto('/studio/new')
  await begin(page, 'Damage Report')
  await say(page, damage)
  await lookAndSave(page, 'Damage Report')

  await page.goto('/bikes/studio')
  await page.getByRole('heading', { level: 1, name: 'Change Bike' }).waitFor()
  const part = page.locator('.studio-part')
  for (const [name, field] of Object.entries({ days_rented, earned, open_damages }))
    await addField(part, name, field as Words, '')
  await say(page, { status, list })
  await lookAndSave(page, 'Bike')

  await page.goto('/rental-agreements/studio')
  await page.getByRole('button', { name: 'Rules', exact: true }).click()
  await sayWords(part, 'Rules', { validate })
  await lookAndSave(page, 'Rental Agreement')

  const report = written('reports/rental-income.yaml')
  await page.goto('/r')
  await page.getByRole('link', { name: 'Write a report' }).click()
  await sayWords(page.locator('.studio-part'), 'Write a report', report)
  await page.getByRole('button', { name: 'Look at it' }).click()
  await page.locator('.built').getByText('The file that is saved').waitFor()
  assert.equal(await violations(page), [])
  await picture('studio-report', page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL('**/r/rental-income')
  assert.equal(parse(site.own('reports/rental-income.yaml')), report)

  assert.equal(parse(site.own('bike.yaml')), bike)
  assert.equal(parse(site.own('damage-report.yaml')), damage)
  assert.equal(parse(site.own('rental-agreement.yaml')), agreement)
  assert.equal(parse(site.own('modules.yaml')), written('modules.yaml'))
  quiet('rental')
  await close()
})

/** The head of a new DocType: its name, and its module where that is new or not the first. */
async function begin(page: Page, name: string, newModule?: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  const module = page.getByRole('combobox', { name: 'Module', exact: true })
  if (newModule === undefined) return void (await module.selectOption('rental'))
  await module.selectOption({ label: 'A new module …' })
  await page.getByRole('textbox', { name: 'Name of the module' }).fill(newModule)
}

test.run()
