import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeskSite, openDeskSite, violations } from './desk-site.ts'
import { picture } from './pictures.ts'

const test = suite('the start, and the workspaces')

let site: DeskSite
test.before(async () => {
  site = await openDeskSite({ demo: true })
})
test.after(() => site.close())

test('the start shows numbers that are those of the lists they lead to', async () => {
  const { page, quiet, close } = await site.open('/', { viewport: { width: 1440, height: 1000 } })
  await page.locator('.number-cards li').first().waitFor()
  const card = page.locator('.number-cards a', { hasText: 'records' }).first()
  await card.waitFor()
  const amount = (await card.locator('.card-number').textContent()) ?? ''
  const count = ((await card.locator('.quiet').textContent()) ?? '').replace(/\D/g, '')
  await page.locator('.workspace-chart .chart').nth(1).waitFor()
  await picture('01-home', page)
  await card.click()
  await page.locator('.page-head .count', { hasText: count }).waitFor()
  const sums = page.getByRole('row', { name: /^Sum/ })
  await sums.waitFor()
  assert.ok((await sums.allTextContents()).join(' ').includes(amount), `${amount} in the foot`)
  quiet('a card and its list')
  await close()
})

test('every workspace opens by its name, in both themes and on a phone', async () => {
  const { workspaces } = await site.api<{ workspaces: readonly { name: string; label: string }[] }>(
    'GET',
    '/v1/boot',
  )
  assert.ok(workspaces.length >= 8, String(workspaces.length))
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, quiet, close } = await site.open('/', { colorScheme })
    for (const { name, label } of workspaces) {
      await page.goto(`/w/${name}`)
      await page.getByRole('heading', { level: 1, name: label }).waitFor()
      await page.locator('.card-number[data-busy=false]').first().waitFor()
      if (name === 'money' || name === 'sell')
        assert.equal(await violations(page), [], `${name} ${colorScheme}`)
      quiet(name)
    }
    await page.setViewportSize({ width: 390, height: 844 })
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    await close()
  }
})

test('a report is pinned to the start, and taken away there', async () => {
  const { page, quiet, close } = await site.open('/r/accounts-receivable-summary')
  await page.getByRole('button', { name: 'Pin to Home' }).click()
  await page.getByRole('button', { name: 'Unpin' }).waitFor()
  await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  const pinned = page.getByRole('region', { name: 'Pinned by you' })
  await pinned.getByRole('link', { name: 'Accounts receivable summary' }).waitFor()
  assert.equal(await violations(page), [])
  await pinned.getByRole('button', { name: /^Take .* away/ }).click()
  await pinned.waitFor({ state: 'detached' })
  quiet('a pin')
  await close()
})

test.run()

const fresh = suite('the start of a new workspace')

let empty: DeskSite
fresh.before(async () => {
  empty = await openDeskSite()
})
fresh.after(() => empty.close())

fresh(
  'has a ring of the first steps, each with its way, which goes on as they are done',
  async () => {
    const { page, quiet, close } = await empty.open('/', { viewport: { width: 1440, height: 900 } })
    const steps = page.getByRole('region', { name: 'The first steps' })
    await steps.getByText('0 of 5 done').waitFor()
    assert.equal(await violations(page), [])
    await picture('22-first-steps', page)
    await empty.api('POST', '/v1/customers', { customer_name: 'First of all' })
    await steps.getByText('1 of 5 done').waitFor()
    await steps.getByRole('link', { name: 'New item' }).click()
    await page.waitForURL(/\/items\/new/)
    await page.goBack()
    await steps.getByRole('button', { name: 'No longer show these' }).click()
    await steps.waitFor({ state: 'detached' })
    quiet('the first steps')
    await close()
  },
)

fresh.run()
