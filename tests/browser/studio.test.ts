import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeskSite, openDeskSite, violations } from './desk-site.ts'
import { picture } from './pictures.ts'

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

test.run()
