import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeskSite, openDeskSite } from './desk-site.ts'

const test = suite('definitions that change while the Desk is open')

const BIKE = `doctype: Bike
module: crm
tier: free
description: A bicycle that is lent.
naming: 'BIKE-{#####}'
title: nickname
list: [nickname, wear, lent_on]
submittable: true
views: {board: {by: wear}}
fields:
  nickname: {type: data, required: true, filterable: true}
  wear: {type: select, options: [Free, Lent, Broken], default: Free, filterable: true}
  lent_on: {type: date, filterable: true}
print: {}
permissions: {roles: {System Manager: [all]}}
`

let site: DeskSite
test.before(async () => {
  site = await openDeskSite({ isWatching: true })
})
test.after(() => site.close())

/** Waits until the server has taken a change up, and comes back to the page as from an editor. */
async function comeBack(page: Page, isTaken: () => Promise<boolean>): Promise<void> {
  while (!(await isTaken().catch(() => false))) await new Promise((next) => setTimeout(next, 100))
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
}

test('a file dropped into the folder has list, form, board and paper, without a reload of the page', async () => {
  const { page, quiet, close } = await site.open('/customers')
  await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
  await page.evaluate(() => {
    document.body.dataset.since = 'before'
  })
  site.drop('bike.yaml', BIKE)
  await comeBack(page, async () => {
    await site.api('GET', '/v1/resources/bikes')
    return true
  })
  await page.getByRole('searchbox', { name: 'Filter menu' }).fill('bikes')
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Bikes' }).click()
  await page.getByRole('heading', { name: 'No bikes yet' }).waitFor()
  await page.locator('.page-head').getByRole('link', { name: 'New bike' }).click()
  await page.getByLabel('Nickname').fill('Red one')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/\/bikes\/BIKE-/)
  await page.getByRole('heading', { level: 1, name: 'Red one' }).waitFor()
  await page.getByRole('button', { name: 'Paper' }).click()
  await page.getByRole('region', { name: 'Paper' }).waitFor()
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Bikes' }).click()
  await page.getByRole('button', { name: 'Board' }).click()
  await page.locator('[data-column="Free"] .card', { hasText: 'Red one' }).waitFor()
  site.drop('bike.yaml', BIKE.replace('  lent_on:', '  colour: {type: data}\n  lent_on:'))
  await comeBack(page, async () => {
    const { fields } = await site.api<{ fields: { name: string }[] }>('GET', '/v1/resources/bikes')
    return fields.some(({ name }) => name === 'colour')
  })
  await page.locator('.page-head').getByRole('link', { name: 'New bike' }).click()
  await page.getByLabel('Colour').waitFor()
  assert.is(await page.evaluate(() => document.body.dataset.since), 'before')
  quiet('watched')
  await close()
})

test.run()
