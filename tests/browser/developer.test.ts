import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../cli/process.ts'
import { type DeskSite, openDeskSite, violations } from './desk-site.ts'
import { picture } from './pictures.ts'

const test = suite('what programs need, in the Desk')

let site: DeskSite
let receiver: Server
let isDown = false
const came: string[] = []

test.before(async () => {
  site = await openDeskSite()
  receiver = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => {
      text += part
    })
    request.on('end', () => {
      came.push(text)
      response.statusCode = isDown ? 500 : 200
      response.end(isDown ? 'out of order' : '{"ok":true}')
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
})
test.after(async () => {
  await site.close()
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
})

const VIEW = { viewport: { width: 1440, height: 900 } }

test('a key is made for a purpose, shown once, works, and is ended', async () => {
  const { page, quiet, close } = await site.open('/developer/keys', VIEW)
  await page.getByRole('button', { name: 'New key' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('What it is for').fill('Bookkeeping agent')
  await form.getByRole('radio', { name: /^draft/ }).check()
  assert.equal(await violations(page), [])
  await form.getByRole('button', { name: 'Make the key' }).click()
  const key = (await page.locator('.copied code').first().textContent()) ?? ''
  assert.match(key, /^svc_live_/)
  await page.getByRole('button', { name: 'I have it' }).click()
  const row = page.getByRole('row', { name: /Bookkeeping agent/ })
  await row.waitFor()
  assert.not.ok((await page.content()).includes(key), 'the key is still in the page')
  const authorization = { Authorization: `Bearer ${key}` }
  assert.is((await fetch(`${site.url}/v1/resources`, { headers: authorization })).status, 200)
  await row.getByRole('button', { name: /^End the key/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click()
  await row.waitFor({ state: 'detached' })
  assert.is((await fetch(`${site.url}/v1/resources`, { headers: authorization })).status, 401)
  quiet('a key')
  await close()
})

test('a webhook is told, its failures are seen with request and answer, and sent again', async () => {
  const { page, quiet, close } = await site.open('/developer/webhooks', VIEW)
  await page.getByText('Nobody is told of anything yet').waitFor()
  await page.getByRole('button', { name: 'New webhook' }).click()
  const form = page.getByRole('dialog')
  const { port } = receiver.address() as AddressInfo
  await form.getByLabel('Web address').fill(`http://127.0.0.1:${port}/hook`)
  await form.getByLabel('What it is for').fill('Web shop')
  await form.getByLabel('Find an event').fill('customers')
  await form.getByRole('checkbox', { name: 'customers.*' }).check()
  assert.equal(await violations(page), [])
  await form.getByRole('button', { name: 'Save' }).click()
  assert.match((await page.locator('.copied code').first().textContent()) ?? '', /^whsec_/)
  await page.getByRole('button', { name: 'I have it' }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  const anew = page.getByRole('button', { name: 'Read anew' })
  const rows = page.locator('.delivery-log tbody tr')
  const until = async (count: number): Promise<void> => {
    await eventually(async () => {
      if ((await rows.count()) >= count) return true
      await anew.click()
      return false
    })
  }
  await until(1)
  isDown = true
  await site.api('POST', '/v1/customers', { customer_name: 'Told of' })
  await until(2)
  await page.getByRole('radio', { name: 'Failed' }).check()
  const failed = page.getByRole('button', { name: 'customers.created', exact: true })
  await failed.first().click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('out of order').waitFor()
  await sheet.getByText('"Told of"').first().waitFor()
  await picture('24-delivery', page)
  assert.equal(await violations(page), [])
  isDown = false
  const before = came.length
  await sheet.getByRole('button', { name: 'Resend now' }).click()
  await sheet.waitFor({ state: 'detached' })
  await eventually(() => came.length > before)
  await page.getByRole('radio', { name: 'All' }).check()
  await until(3)
  await page.getByRole('button', { name: /^What can be done with/ }).click()
  await page.getByRole('menuitem', { name: /^New secret/ }).click()
  assert.match((await page.locator('.copied code').first().textContent()) ?? '', /^whsec_/)
  await page.getByRole('button', { name: 'I have it' }).click()
  quiet('a webhook')
  await close()
})

test('the log of events is read, narrowed and opened', async () => {
  const { page, quiet, close } = await site.open('/developer/events', VIEW)
  await page.locator('.event-line').first().waitFor()
  await page.getByLabel('Event or resource').fill('customers')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'What customers.created says' }).first().click()
  await page.getByText('"Told of"').first().waitFor()
  assert.equal(await violations(page), [])
  quiet('the log')
  await close()
})

for (const part of ['keys', 'webhooks', 'events'])
  test(`${part} fit a phone, in the dark`, async () => {
    const { page, quiet, close } = await site.open(`/developer/${part}`, {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    })
    await page.locator('.part h1').waitFor()
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    assert.equal(await violations(page), [])
    quiet(part)
    await close()
  })

test('the API reference folds its menu on a phone, opens it without a script, and shows it beside on a wide screen', async () => {
  const phone = { viewport: { width: 390, height: 800 } }
  const { page, quiet, close } = await site.open('/docs', phone)
  const menu = page.getByRole('navigation', { name: 'Reference' })
  const lists = menu.getByRole('link', { name: 'Lists', exact: true })
  assert.is(await lists.isVisible(), false)
  const top = await page.getByRole('main').boundingBox()
  assert.ok(top!.y < 160, `the page begins at ${top!.y} px`)
  assert.equal(await violations(page), [])
  await menu.getByText('Contents').click()
  await lists.waitFor()
  assert.equal(await violations(page), [])
  await menu.getByText('Contents').click()
  await menu.getByRole('searchbox').fill('customers')
  await menu.getByRole('link', { name: 'Customers', exact: true }).waitFor()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.reload()
  await lists.waitFor()
  assert.is(await menu.getByText('Contents').isVisible(), false)
  assert.equal(await violations(page), [])
  quiet('the reference')
  await close()
})

test.run()
