import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Served, serve, temporaryFolder } from '../cli/process.ts'
import { picture } from '../server/files/pictures.ts'
import { launch, MOST_MS, violations } from './desk-site.ts'

const test = suite('the first page of a workspace')
const folder = temporaryFolder()

let browser: Browser
const servers: Served[] = []

test.before(async () => {
  browser = await launch()
})
test.after(async () => {
  await browser.close()
  for (const server of servers) await server.end()
  folder.remove()
})

interface Waiting {
  readonly url: string
  readonly setupUrl: string
}

/** A new workspace that waits for its first person. */
async function waiting(name: string): Promise<Waiting> {
  const data = join(folder.path, name)
  const server = await serve(data, ['--wait-for-setup', '--durability', 'normal'])
  servers.push(server)
  const { setup_url } = JSON.parse(readFileSync(join(data, 'first-run.json'), 'utf8'))
  return { url: server.url, setupUrl: setup_url }
}

async function opened(url: string, options = {}): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.setDefaultTimeout(MOST_MS)
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(url)
  return { page, complaints }
}

test('asks in German, proposes what is usual there, and ends in the Desk with the logo on papers', async () => {
  const { url, setupUrl } = await waiting('own')
  const { page, complaints } = await opened(setupUrl, { locale: 'de-AT' })
  await page.getByRole('heading', { name: 'Arbeitsbereich einrichten' }).waitFor()
  assert.is(await page.locator('html').getAttribute('lang'), 'de')
  assert.is(await page.getByLabel('Wo es ist').inputValue(), 'Austria')
  const country = page.getByLabel('Wo es ist').locator('option:checked')
  assert.is(await country.textContent(), 'Österreich · EUR · General · USt 20 % / 13 % / 10 %')
  await page.getByLabel('Ihr Unternehmen heißt').fill('Alpenrad GmbH')
  await page.getByLabel('Ihr Name').fill('Resi Hofer')
  await page.getByLabel('Ihre E-Mail').fill('resi@example.com')
  await page.getByLabel('Passwort wählen').fill('ein gutes Passwort')
  const logo = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') }
  await page.getByLabel('Logo').setInputFiles(logo)
  await page.getByRole('button', { name: 'Einrichten', exact: true }).click()
  await page.getByText('Erwartet wurde PNG oder JPEG', { exact: false }).waitFor()
  assert.is(await page.getByLabel('Ihr Unternehmen heißt').inputValue(), 'Alpenrad GmbH')
  complaints.splice(0)
  await page.getByLabel('Passwort wählen').fill('ein gutes Passwort')
  const png = { name: 'logo.png', mimeType: 'image/png', buffer: picture([200, 30, 30], 60, 20) }
  await page.getByLabel('Logo').setInputFiles(png)
  await page.getByRole('button', { name: 'Einrichten', exact: true }).click()
  await page
    .getByRole('navigation', { name: 'Menu' })
    .or(page.getByRole('navigation', { name: 'Menü' }))
    .waitFor()
  assert.is(new URL(page.url()).pathname, '/')
  assert.equal(complaints, [])
  const { person } = await (await page.request.get(`${url}/v1/boot`)).json()
  assert.is(person.full_name, 'Resi Hofer')
  const { data } = await (
    await page.request.get(`${url}/v1/companies?fields=id,default_currency,company_logo`)
  ).json()
  assert.equal([data.length, data[0].id, data[0].default_currency], [1, 'Alpenrad GmbH', 'EUR'])
  const shown = await page.request.get(`${url}${data[0].company_logo}`)
  assert.equal([shown.status(), shown.headers()['content-type']], [200, 'image/png'])
  // The link is spent.
  const late = await opened(setupUrl)
  await late.page.getByText('its link is spent', { exact: false }).waitFor()
  await late.page.getByRole('button', { name: 'Sign in' }).waitFor()
})

test('is whole for axe in both themes and on a telephone, and says what is wrong with a link', async () => {
  const { setupUrl } = await waiting('looked-at')
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, complaints } = await opened(setupUrl, {
      colorScheme,
      viewport: { width: 360, height: 740 },
    })
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await violations(page), [], colorScheme)
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    assert.equal(complaints, [])
    const wrong = await opened(`${setupUrl}x`, { colorScheme })
    await wrong.page.getByRole('heading', { name: 'This workspace waits for its owner' }).waitFor()
    assert.equal(await violations(wrong.page), [])
  }
})

test('begins with a demo company for who only looks around', async () => {
  const { url, setupUrl } = await waiting('demo')
  const { page } = await opened(setupUrl, { locale: 'en-GB' })
  await page.getByRole('button', { name: 'Begin with a demo company' }).click()
  await page.getByText('Expected an address such as', { exact: false }).waitFor()
  await page.getByLabel('Your e-mail').fill('Guest@example.com')
  await page.getByLabel('Choose a password').fill('a good password')
  await page.getByRole('button', { name: 'Begin with a demo company' }).click()
  await page.getByRole('heading', { name: 'The demo company is being played' }).waitFor()
  // A page that goes on by itself would take axe with it.
  await page.route('**/setup*', async (route) => {
    const response = await route.fetch()
    const { refresh: _goesOn, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
  await page.goto(setupUrl)
  assert.equal(await violations(page), [])
  assert.is((await page.request.get(`${url}/v1/boot`)).status(), 503)
  await page.unroute('**/setup*')
  await page.goto(setupUrl)
  await page.getByRole('button', { name: 'Look around' }).click({ timeout: 240_000 })
  await page.getByRole('navigation', { name: 'Menu' }).waitFor()
  const boot = await (await page.request.get(`${url}/v1/boot`)).json()
  assert.is(boot.person.email, 'Guest@example.com')
  const orders = await (await page.request.get(`${url}/v1/sales-orders?limit=1`)).json()
  assert.ok(orders.meta.total > 20, `${orders.meta.total} orders`)
})

test.run()
