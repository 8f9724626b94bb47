import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { estimate, likelyNotes, rounded } from '../../desk/till/amounts.ts'
import { eventually } from '../cli/process.ts'
import { type DeskPage, type DeskSite, openDeskSite, violations } from './desk-site.ts'
import { picture } from './pictures.ts'

const amounts = suite('amounts of a till')

amounts('are whole cents, and a cart without a known price comes to nothing that is told', () => {
  const item = { id: 'A', title: 'A', group: '', codes: [] }
  assert.is(rounded(1.005), 1.01)
  assert.is(rounded(46.8 * 3), 140.4)
  assert.is(
    estimate([
      { item: { ...item, price: 0.4 }, qty: 3 },
      { item: { ...item, price: 22.8 }, qty: 1.5 },
    ]),
    35.4,
  )
  assert.is(estimate([{ item, qty: 1 }]), undefined)
  assert.equal(likelyNotes(12.4), [15, 20, 50])
  assert.equal(likelyNotes(20), [25, 30, 40])
})

amounts.run()

const test = suite('the till')

interface Records {
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly meta: { readonly total: number }
}

const TABLET = { viewport: { width: 1180, height: 820 } }

let site: DeskSite
let till: DeskPage
let page: Page
test.before(async () => {
  site = await openDeskSite({ demo: true })
  const company = (await site.api<Records>('GET', '/v1/companies?limit=1')).data[0]!.id
  const { id: customer } = await site.api('POST', '/v1/customers', { customer_name: 'Walk-in' })
  await site.api('POST', '/v1/items', {
    ...{ item_code: 'STICKER', item_name: 'Sticker', is_stock_item: false, standard_rate: 0.33 },
  })
  await site.api('POST', '/v1/pos-profiles', {
    ...{ name: 'Counter', company, customer, warehouse: 'Stores' },
    payments: [{ mode_of_payment: 'Cash', default: true }, { mode_of_payment: 'Card' }],
  })
  till = await openCounter(TABLET)
  page = till.page
})
test.after(() => site.close())

/** A browser at the till of this test, chosen beside that of the demo's showroom. */
async function openCounter(options: Parameters<DeskSite['open']>[1]): Promise<DeskPage> {
  const opened = await site.open('/pos', options)
  const tills = opened.page.getByRole('list', { name: 'Tills' })
  await tills.getByRole('button', { name: 'Showroom till' }).waitFor()
  await tills.getByRole('button', { name: 'Counter' }).click()
  return opened
}

const invoices = (): Promise<Records> =>
  site.api<Records>(
    'GET',
    '/v1/sales-invoices?pos_profile=Counter&docstatus=1&sort=posting_date,id&limit=50',
  )

const inStock = async (item: string): Promise<number> =>
  Number((await site.api('GET', `/v1/bins/${item}::Stores`)).actual_qty)

const scan = async (code: string): Promise<void> => {
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
}

const total = (amount: string) => page.locator('.cart-total strong', { hasText: amount })

const pay = async (way: string, given?: string): Promise<void> => {
  await page.getByRole('button', { name: 'Take the money' }).click()
  if (given !== undefined) await page.getByLabel('Given', { exact: true }).fill(given)
  await page.getByRole('button', { name: way, exact: true }).click()
}

test('is opened with the cash that is in it', async () => {
  await page.getByRole('heading', { name: 'Counter' }).waitFor()
  assert.equal(await violations(page), [])
  await page.getByLabel('Cash in the till').fill('100')
  await page.getByRole('button', { name: 'Open the till' }).click()
  await page.getByRole('button', { name: 'Close the till' }).waitFor()
  const { data } = await site.api<Records>('GET', '/v1/pos-opening-entries?status=Open')
  assert.is(data.length, 1)
})

test('sells what a scanner reads, at the prices of the server, and gives change', async () => {
  const before = { helmets: await inStock('AC-HELM'), bottles: await inStock('AC-BOTT') }
  await page
    .locator('.till-tiles')
    .getByRole('button', { name: /Helmet.*106\.80/ })
    .waitFor()
  // The codes of a helmet, twice, and of a bottle.
  await scan('9005550001010')
  await scan('9005550001010')
  await scan('9005550001058')
  // 2 × 89 + 19 = 197, and 20 % of it are 39.40.
  await total('236.40').waitFor()
  await page.getByText('€39.40').waitFor()
  assert.equal(await violations(page), [])
  await picture('28-till', page)
  await pay('Cash', '300')
  await page.locator('.sold-change', { hasText: '€63.60' }).waitFor()
  const state = await page.getByText(/^Booked as/).textContent()
  const [invoice] = (await invoices()).data
  assert.is(state, `Booked as ${invoice?.id}`)
  assert.equal(
    [invoice?.grand_total, invoice?.outstanding_amount, invoice?.change_amount],
    [236.4, 0, 63.6],
  )
  assert.is(await inStock('AC-HELM'), before.helmets - 2)
  assert.is(await inStock('AC-BOTT'), before.bottles - 1)
  await page.getByRole('button', { name: 'Receipt' }).click()
  const slip = page.frameLocator('iframe.slip')
  // As it is written where the company is.
  await slip.getByText('236,40').first().waitFor()
  assert.is(await slip.locator('body').getAttribute('class'), 'receipt')
  await page.getByRole('button', { name: 'Next sale' }).click()
  till.quiet('a sale')
})

test('goes on without the network, through a reload, and books each sale once when it is back', async () => {
  const before = { pumps: await inStock('AC-PUMP'), locks: await inStock('AC-LOCK') }
  const context = page.context()
  // The till can be opened without the network once its files are kept.
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state)
  await context.setOffline(true)
  await page.getByText('No network: sales are kept here').waitFor()
  await page
    .locator('.till-tiles')
    .getByRole('button', { name: /Floor pump/ })
    .click()
  await total('46.80').waitFor()
  await page.getByText('Not yet booked: by the prices that this till keeps').waitFor()
  await pay('Card')
  await page.getByText('Not yet booked; it is sent as soon as it can be').waitFor()
  await page.getByText('One sale waits to be booked').waitFor()

  await page.reload()
  await page.getByText('One sale waits to be booked').waitFor()
  await scan('9005550001027')
  await scan('9005550001027')
  // 2 × 69 = 138 and 20 %.
  await total('165.60').waitFor()
  assert.equal(await violations(page), [])
  await pay('Cash', '200')
  await page.locator('.sold-change', { hasText: '€34.40' }).waitFor()
  await page.getByText('2 sales wait to be booked').waitFor()
  await picture('29-till-without-network', page)
  assert.is((await invoices()).meta.total, 1)

  // The first answer is lost on its way: the sale is booked, and the browser cannot know.
  await page.evaluate(() => {
    const ask = window.fetch
    window.fetch = async (input, options) => {
      const answer = await ask(input, options)
      if (options?.method !== 'POST' || input !== '/v1/sales-invoices') return answer
      window.fetch = ask
      document.title = 'an answer was lost'
      throw new TypeError('Failed to fetch')
    }
  })
  await context.setOffline(false)
  await page.waitForFunction(() => document.title === 'an answer was lost')
  await page.locator('.till-waiting').waitFor({ state: 'detached' })
  const booked = (await invoices()).data.slice(1)
  assert.equal(
    booked.map((one) => [one.grand_total, one.outstanding_amount, one.change_amount]),
    [
      [46.8, 0, 0],
      [165.6, 0, 34.4],
    ],
  )
  const { payments } = await site.api<{ payments: readonly Record<string, unknown>[] }>(
    'GET',
    `/v1/sales-invoices/${booked[1]?.id}`,
  )
  assert.equal(
    payments.map(({ mode_of_payment, amount }) => [mode_of_payment, amount]),
    [['Cash', 200]],
  )
  const all = await site.api<Records>('GET', '/v1/sales-invoices?pos_profile=Counter&limit=50')
  assert.is(all.meta.total, 3)
  assert.is(await inStock('AC-PUMP'), before.pumps - 1)
  assert.is(await inStock('AC-LOCK'), before.locks - 2)
})

test('shows what the server would book otherwise, or refuses, until somebody has mended it', async () => {
  const context = page.context()
  await page.getByRole('button', { name: 'Close the till' }).waitFor()
  await page
    .locator('.till-tiles')
    .getByRole('button', { name: /Sticker.*0\.40/ })
    .waitFor()
  await context.setOffline(true)
  await page.getByText('No network: sales are kept here').waitFor()
  // One sticker is 0.33 and 20 %: 0.396, so 0.40. Three are 0.99 and 20 %: 1.188, so 1.19 and not 1.20.
  await page
    .locator('.till-tiles')
    .getByRole('button', { name: /Sticker/ })
    .click()
  await page.getByLabel('Quantity of Sticker').fill('3')
  await page.getByLabel('Quantity of Sticker').press('Enter')
  await total('1.20').waitFor()
  await pay('Card')
  await page.getByRole('button', { name: 'Next sale' }).click()
  await scan('AC-BOTT')
  await page.getByLabel('Quantity of Bottle').fill('500')
  await page.getByLabel('Quantity of Bottle').press('Enter')
  await total('11,400.00').waitFor()
  await pay('Cash')
  await page.getByText('2 sales wait to be booked').waitFor()
  await context.setOffline(false)

  const sales = page.getByRole('region', { name: 'Sales that are not booked' })
  await sales.getByText('The workspace comes to €1.19').waitFor()
  await sales.getByText(/not enough stock: 500 of AC-BOTT/).waitFor()
  assert.equal(await violations(page), [])
  await page.getByRole('button', { name: 'Close the till' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('2 sales are not booked yet').waitFor()
  assert.ok(await dialog.getByRole('button', { name: 'Close the till' }).isDisabled())
  await dialog.getByRole('button', { name: 'Leave it open' }).click()

  await sales.getByRole('button', { name: 'Book €1.19' }).click()
  await eventually(async () => (await invoices()).meta.total === 4)
  await sales.getByText('3 × Sticker').waitFor({ state: 'detached' })
  const last = (await invoices()).data.at(-1)
  assert.equal([last?.grand_total, last?.outstanding_amount], [1.19, 0])
  const draft = await sales.getByRole('link', { name: 'Open the draft' }).getAttribute('href')
  assert.is((await site.api('GET', `/v1${draft}`)).docstatus, 0)
  await sales.getByRole('button', { name: 'Give up' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Give up' }).click()
  await sales.waitFor({ state: 'detached' })
  await till.close()
})

test('fits a phone in the dark, and is closed with what was counted and the difference', async () => {
  const phone = await openCounter({
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  })
  await phone.page.locator('.till-tiles button').first().waitFor()
  await phone.page
    .locator('.till-tiles')
    .getByRole('button', { name: /Helmet/ })
    .click()
  await phone.page.locator('.cart-total strong', { hasText: '106.80' }).waitFor()
  assert.ok(await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  assert.equal(await violations(phone.page), [])
  await phone.page.getByRole('button', { name: 'One Helmet Alpin less' }).click()
  await phone.page.getByRole('button', { name: 'Close the till' }).click()
  const dialog = phone.page.getByRole('dialog')
  // 100 + 236.40 + 165.60 in cash; 46.80 + 1.19 by card.
  await dialog.getByRole('row', { name: /^Cash €502\.00/ }).waitFor()
  await dialog.getByRole('row', { name: /^Card €47\.99/ }).waitFor()
  await dialog.getByLabel('Counted: Cash').fill('501')
  await dialog.getByLabel('Counted: Card').fill('47.99')
  await dialog.getByRole('row', { name: /^Cash .*-€1\.00$/ }).waitFor()
  await dialog.getByText('€449.99 sold since it was opened').waitFor()
  assert.equal(await violations(phone.page), [])
  assert.ok(await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  await dialog.getByRole('button', { name: 'Close the till' }).click()
  await phone.page.getByRole('button', { name: 'Open the till' }).waitFor()
  const { data } = await site.api<Records>(
    'GET',
    '/v1/pos-closing-entries?pos_profile=Counter&limit=5',
  )
  assert.equal(
    data.map(({ difference, grand_total, docstatus }) => [difference, grand_total, docstatus]),
    [[-1, 449.99, 1]],
  )
  phone.quiet('closing')
  await phone.close()
})

test('leaves nothing but sales that are not booked, and which till it is, in the browser when somebody signs out', async () => {
  const { page: own, close } = await site.open('/', TABLET)
  await own.getByRole('navigation', { name: 'Menu' }).waitFor()
  // What an older build has kept, and a sale that was sent two days ago and never answered.
  await own.evaluate(async () => {
    await caches.open('desk-of-before')
    const { person } = await (await fetch('/v1/boot')).json()
    const at = new Date(Date.now() - 48 * 3_600_000).toISOString()
    const sale = {
      ...{ key: 'k', at, triedAt: at, person: person.name, till: 'Counter', state: 'waiting' },
      ...{ lines: [], taken: [], total: 7, change: 0, body: {} },
    }
    localStorage.setItem(`desk-till-sale/${at}/k`, JSON.stringify(sale))
  })
  await own.goto('/pos')
  await own.getByRole('button', { name: 'Counter' }).click()
  await own.getByText('It was sent more than a day ago and nobody answered').waitFor()
  assert.is(await own.getByRole('button', { name: 'Back into the cart' }).count(), 0)
  await own.evaluate(async () => (await navigator.serviceWorker.ready).active?.state)
  await own.waitForFunction(async () => !(await caches.keys()).includes('desk-of-before'))
  const kept = await own.evaluate(async () => {
    const all = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
    const requests = await Promise.all(all.map((cache) => cache.keys()))
    return requests.map((files) => files.map(({ url }) => new URL(url).pathname))
  })
  assert.is(kept.length, 1)
  assert.ok(kept[0]?.some((path) => path.endsWith('.html')))
  assert.equal(
    kept[0]?.filter((path) => !path.startsWith('/desk-assets/')),
    [],
  )
  await own.getByRole('button', { name: /^Your account/ }).click()
  await own.getByText('Sign out').click()
  await own.getByRole('button', { name: 'Sign in' }).waitFor()
  await own.waitForFunction(async () => (await caches.keys()).length === 0)
  await own.waitForFunction(
    async () => (await navigator.serviceWorker.getRegistrations()).length === 0,
  )
  const names = await own.evaluate(() => Object.keys(localStorage))
  assert.equal(
    names
      .filter((name) => name.startsWith('desk-till'))
      .map((name) => name.split('/')[0])
      .sort(),
    ['desk-till-chosen', 'desk-till-sale'],
  )
  await close()
})

test.run()
