import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeskSite, openDeskSite, violations } from './desk-site.ts'
import { picture } from './pictures.ts'

const test = suite('the inbox')

interface Invoice {
  readonly id: string
  readonly docstatus: number
}

let site: DeskSite
/** Drafts an agent has made, the newest last. */
const drafted: string[] = []

test.before(async () => {
  site = await openDeskSite()
  const customers = ['Anna Berger', 'Bike Club', 'City Couriers', 'Dora Dunn', 'Emil Egger']
  await site.api('POST', '/v1/items', {
    item_code: 'FITTING',
    item_name: 'Bike fitting',
    is_stock_item: false,
    standard_rate: 60,
  })
  const { key } = await site.api<{ key: string }>('POST', '/v1/api-keys', {
    scope: 'draft',
    label: 'Agent of the shop',
  })
  for (const customer_name of customers) {
    const { id } = await site.api<Invoice>('POST', '/v1/customers', { customer_name })
    const response = await fetch(`${site.url}/v1/sales-invoices`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ customer: id, items: [{ item_code: 'FITTING', qty: 2 }] }),
    })
    assert.is(response.status, 201)
    drafted.push(((await response.json()) as Invoice).id)
  }
  await site.api('POST', '/v1/todos', { description: 'Call the bank' })
})
test.after(() => site.close())

const invoice = (id: string): Promise<Invoice> =>
  site.api<Invoice>('GET', `/v1/sales-invoices/${id}`)

const EMIL = 'Emil Egger'
const DORA = 'Dora Dunn'
const CITY = 'City Couriers'
const CLUB = 'Bike Club'

test('drafts by agents show what accepting does, and one key accepts, refuses or opens each', async () => {
  const { page, quiet, close } = await site.open('/inbox', {
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  })
  const card = (name: string) => page.getByRole('article', { name })
  const open = (name: string) => page.locator('.draft-card[data-open=true]', { hasText: name })
  const drafts = page.getByRole('region', { name: 'Drafts by agents' })
  await open(EMIL).getByRole('cell', { name: 'Debtors' }).waitFor()
  assert.is(await drafts.getByRole('article').count(), 5)
  await page.getByRole('region', { name: 'Waits for you' }).getByText('Open to-dos').waitFor()
  assert.equal(await violations(page), [])
  await picture('27-drafts-by-agents', page)

  await page.keyboard.press('a')
  await page.getByText(`${drafted[4]} is accepted`).waitFor()
  await card(EMIL).waitFor({ state: 'detached' })
  assert.is((await invoice(drafted[4]!)).docstatus, 1)

  // A reason and Enter: the draft goes, and comes back by Undo.
  await open(DORA).getByRole('cell', { name: 'Debtors' }).waitFor()
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: `Refuse ${DORA}?` })
  await dialog.getByLabel('Why, as a comment').waitFor()
  assert.equal(await violations(page), [])
  await page.keyboard.type('They have paid in cash')
  await page.keyboard.press('Enter')
  await page.getByText(`${drafted[3]} is refused`).waitFor()
  await card(DORA).waitFor({ state: 'detached' })
  const { data: told } = await site.api<{ data: { data: { content?: string } }[] }>(
    'GET',
    '/v1/events?event=comments.created&limit=5',
  )
  assert.ok(JSON.stringify(told).includes('They have paid in cash'))
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await page.waitForURL(/\/sales-invoices\/SINV-/)
  await page.getByRole('heading', { name: DORA, level: 1 }).waitFor()

  // Without deleting it stays, with the comment.
  await page.goto('/inbox')
  await open(CITY).getByRole('cell', { name: 'Debtors' }).waitFor()
  await page.keyboard.press('j')
  await open(CLUB).getByRole('cell', { name: 'Debtors' }).waitFor()
  await page.keyboard.press('r')
  await page.getByRole('dialog', { name: `Refuse ${CLUB}?` }).waitFor()
  await page.getByLabel(/^Delete the draft/).uncheck()
  await page.getByLabel('Why, as a comment').fill('Wrong quantity')
  await page.keyboard.press('Enter')
  await page.getByText(`${drafted[1]} is refused`).waitFor()
  await card(CLUB).waitFor({ state: 'detached' })
  assert.is((await invoice(drafted[1]!)).docstatus, 0)
  const { data: said } = await site.api<{ data: { text?: string }[] }>(
    'GET',
    `/v1/sales-invoices/${drafted[1]}/timeline`,
  )
  assert.ok(said.some(({ text }) => text === 'Wrong quantity'))

  await open(CITY).waitFor()
  await page.keyboard.press('e')
  await page.waitForURL(`**/sales-invoices/${drafted[2]}`)
  quiet('deciding')
  await close()
})

test('a draft that cannot be accepted says why, and one that is submitted elsewhere waits no more', async () => {
  const { page, close } = await site.open('/inbox')
  const card = (name: string) => page.getByRole('article', { name })
  await card(CITY).waitFor()
  await site.api('POST', `/v1/sales-invoices/${drafted[2]}/submit`, {})
  await card(CITY).waitFor({ state: 'detached' })
  await card('Anna Berger').waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  assert.equal(await violations(page), [])
  await close()
})

test.run()
