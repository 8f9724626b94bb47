import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Served, serve, temporaryFolder } from '../cli/process.ts'
import { picture as drawn } from '../server/files/pictures.ts'
import { launch, MOST_MS, violations } from './desk-site.ts'
import { dropFiles } from './dropped-files.ts'
import { machineTime } from './machine-time.ts'
import { filmStrip } from './pictures.ts'

const test = suite('the first ten minutes')

/** Presses of a pointer, a dropped file among them, and seconds of the machine that all of it may take (desk.md 4.1). */
const MOST = { presses: 40, seconds: 90 } as const

const folder = temporaryFolder()
let browser: Browser
let server: Served

test.before(async () => {
  browser = await launch()
  server = await serve(join(folder.path, 'data'), ['--wait-for-setup', '--durability', 'normal'])
})
test.after(async () => {
  await browser.close()
  await server.end()
  folder.remove()
})

/** Presses so far, whichever page they were on; keys press nothing. */
async function counted(context: BrowserContext): Promise<{ count: number }> {
  const presses = { count: 0 }
  await context.exposeBinding('notePress', () => {
    presses.count += 1
  })
  await context.addInitScript(() => {
    const { notePress } = window as unknown as { notePress(): Promise<void> }
    addEventListener('pointerdown', () => void notePress(), true)
    addEventListener('drop', () => void notePress(), true)
  })
  return presses
}

test('from the printed link to a paid invoice, a matched bank and a colleague', async () => {
  const before = { wall: performance.now(), machine: machineTime() }
  const context = await browser.newContext({
    baseURL: server.url,
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  })
  const presses = await counted(context)
  const page = await context.newPage()
  page.setDefaultTimeout(MOST_MS)
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`)
  })
  const film = filmStrip(4)
  const steps = page.locator('.setup-ring')
  const home = async (told: string): Promise<void> => {
    await page.getByRole('link', { name: 'Home', exact: true }).first().click()
    await steps.getByText(told, { exact: false }).waitFor()
  }

  const { setup_url } = JSON.parse(
    readFileSync(join(folder.path, 'data/first-run.json'), 'utf8'),
  ) as { setup_url: string }
  await page.goto(setup_url)
  await setUp(page)
  await film.take(page)
  await page.keyboard.press('Enter')
  await steps.getByText('0 of 5 done').waitFor()
  await film.take(page)

  await steps.getByRole('link', { name: 'Paste or drop a table' }).first().click()
  await pasteCustomers(page)
  await film.take(page)
  await home('1 of 5 done')
  await steps.getByRole('link', { name: 'New item' }).click()
  await makeItem(page)
  await home('2 of 5 done')
  await steps.getByRole('link', { name: 'New sales invoice' }).click()
  await makeInvoice(page)
  await film.take(page)
  await submit(page)
  await home('3 of 5 done')
  await steps.getByRole('link', { name: 'Open it' }).first().click()
  await page.locator('.paper').getByText('£144.00').first().waitFor()
  await film.take(page)
  await send(page)
  await home('4 of 5 done')
  await steps.getByRole('link', { name: 'Open it' }).first().click()
  await takePayment(page)
  await home('All of the first steps are done')
  await film.take(page)

  await steps.getByRole('link', { name: 'Match a bank file' }).click()
  await takePlan(page)
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Bank' }).click()
  await matchBank(page, () => film.take(page))
  await home('All of the first steps are done')
  await steps.getByRole('link', { name: 'Invite a colleague' }).click()
  await invite(page)
  await film.take(page)

  const machine = machineTime() - before.machine
  const wall = (performance.now() - before.wall) / 1000
  console.info(
    `${presses.count} presses, ${machine.toFixed(1)} s of the machine, ${wall.toFixed(1)} s of the clock`,
  )
  assert.ok(presses.count > 20, `only ${presses.count} presses were seen`)
  assert.ok(presses.count <= MOST.presses, `${presses.count} presses`)
  assert.ok(machine <= MOST.seconds, `${machine} s of the machine`)
  assert.equal(complaints, [])
  await film.keep('26-the-first-ten-minutes', page)
  const kept = await page.request.get('/v1/sales-invoices?fields=status,outstanding_amount')
  assert.equal((await kept.json()).data, [{ status: 'Paid', outstanding_amount: 0 }])
  await context.close()
})

test('a step that is skipped is passed, and printing a paper is a way to bring it to somebody', async () => {
  const context = await browser.newContext({ baseURL: server.url, locale: 'en-GB' })
  const page = await context.newPage()
  page.setDefaultTimeout(MOST_MS)
  await page.goto('/login')
  await page.getByLabel('E-mail or user name').fill('rosa@example.com')
  await page.getByLabel('Password', { exact: true }).fill('a good password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Menu' }).waitFor()
  // Who has never seen a step undone is not told that all is done.
  await page.locator('.shortcuts').waitFor()
  assert.is(await page.locator('.setup-ring').count(), 0)
  const boot = await (await page.request.get('/v1/boot')).json()
  const headers = { 'X-CSRF-Token': boot.csrf }
  const mails = await (await page.request.get('/v1/communications?fields=id')).json()
  for (const { id } of mails.data)
    await page.request.delete(`/v1/communications/${id}`, { headers })
  await page.reload()
  const steps = page.locator('.setup-ring')
  const step = steps.getByRole('listitem').filter({ hasText: 'Send or print it' })
  await steps.getByText('4 of 5 done').waitFor()
  assert.equal(await violations(page), [])
  await step.getByRole('button', { name: 'Skip: Send or print it' }).click()
  await step.getByText('Skipped').waitFor()
  await page.goto('/sales-invoices/SINV-2026-00001?mode=paper')
  const sheet = context.waitForEvent('page')
  await page.locator('.paper-actions').getByRole('button', { name: 'Print' }).click()
  await (await sheet).close()
  await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await step.getByRole('link', { name: 'Look' }).waitFor()
  await steps.getByRole('button', { name: 'No longer show these' }).click()
  await steps.waitFor({ state: 'detached' })
  await context.close()
})

/** The company and its first person; the country is that of the browser. */
async function setUp(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Set up your workspace' }).waitFor()
  await page.keyboard.type('Northwind Bikes')
  const country = page.getByLabel('Where it is').locator('option:checked')
  assert.is(await country.textContent(), 'United Kingdom · GBP · General · VAT 20 % / 5 %')
  const content = drawn([200, 30, 30], 60, 20)
  await dropFiles(page, [{ name: 'logo.png', type: 'image/png', content }], 'input[type=file]')
  await page.getByLabel('Your name').click()
  await page.keyboard.type('Rosa Field')
  await page.keyboard.press('Tab')
  await page.keyboard.type('rosa@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.type('a good password')
}

/** Customers from a spreadsheet. */
async function pasteCustomers(page: Page): Promise<void> {
  await page.getByLabel('Or paste rows').click()
  await page.keyboard.insertText(
    'Name,Email\nCity Couriers,office@couriers.example\nBike Club,club@example.com\n',
  )
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByRole('button', { name: 'Import 2' }).click()
  await page.getByText('2 new', { exact: false }).waitFor()
}

/** Waits until a new form has put somebody into its first field. */
async function begun(page: Page, label: string): Promise<void> {
  await page.getByLabel(label).first().waitFor()
  await page.waitForFunction(() => document.activeElement?.matches('.record-main input'))
}

/** Something that is sold by the hour. */
async function makeItem(page: Page): Promise<void> {
  await begun(page, 'Item code')
  await page.keyboard.type('FITTING')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Bike fitting')
  await page.getByLabel('Selling price').click()
  await page.keyboard.type('60')
  await page.keyboard.press('Control+s')
  await page.waitForURL(/\/items\/FITTING/)
}

/** An invoice of two hours for one of the customers. */
async function makeInvoice(page: Page): Promise<void> {
  await begun(page, 'Customer')
  await page.keyboard.type('City')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Add row' }).first().click()
  await page.keyboard.type('FITTING')
  await page.keyboard.press('Tab')
  await page.keyboard.type('2')
  await page.keyboard.press('Tab')
  await page.locator('.record-main[data-old=false]').waitFor()
  await page.keyboard.press('Control+s')
  await page.waitForURL(/\/sales-invoices\/SINV/)
}

/** Presses the next action of the record. */
function next(page: Page, name: string): Promise<void> {
  return page.locator('.page-actions').getByRole('button', { name }).click()
}

async function submit(page: Page): Promise<void> {
  await next(page, 'Submit')
  const dialog = page.getByRole('dialog', { name: 'Submit?' })
  await dialog.locator('.consequences').waitFor()
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await page.locator('.timeline [data-kind=submitted]').waitFor()
}

/** The invoice goes by mail, with its paper beside it, to the address that came with the customer. */
async function send(page: Page): Promise<void> {
  await page.locator('.paper-actions').getByRole('button', { name: 'Send by mail' }).click()
  const mail = page.getByRole('dialog', { name: /^Send to / })
  await mail.locator('[name=to]').waitFor()
  await page.waitForFunction(
    () =>
      document.querySelector<HTMLInputElement>('dialog [name=to]')?.value ===
      'office@couriers.example',
  )
  await mail.getByRole('button', { name: 'Send' }).click()
  await page.locator('.timeline [data-kind=mail]').waitFor()
}

async function takePayment(page: Page): Promise<void> {
  await next(page, 'Make payment')
  await page.locator('[data-form="payment-entries"]').waitFor()
  await submit(page)
}

/** The bank belongs to a larger plan than a new workspace has. */
async function takePlan(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'See the plans' }).click()
  await page.getByRole('button', { name: 'Take Pro' }).click()
  const reloaded = page.waitForEvent('load')
  await page.getByRole('dialog').getByRole('button', { name: 'Take Pro' }).click()
  await reloaded
}

/** A statement with the payment and the charges of the bank, all matched. */
async function matchBank(page: Page, seen: () => Promise<void>): Promise<void> {
  await page.getByRole('heading', { name: 'Bank lines' }).waitFor()
  const today = await page.evaluate(() => new Intl.DateTimeFormat('sv').format(new Date()))
  const content = [
    'Date,Description,Reference,Amount',
    `${today},City Couriers SINV-2026-00001,R-1,144.00`,
    `${today},Charges of the account,R-2,-7.77`,
  ].join('\n')
  await dropFiles(page, [{ name: 'november.csv', type: 'text/csv', content }], '.statement-drop')
  const dialog = page.getByRole('dialog', { name: 'november.csv' })
  await dialog.getByRole('button', { name: 'Make the account' }).click()
  await dialog.getByRole('button', { name: 'Bring in 2' }).click()
  await page.getByRole('option', { name: /City Couriers/, selected: true }).waitFor()
  await page.locator('.suggestion').first().waitFor()
  await seen()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: /City Couriers/ }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Book on an account/ }).click()
  await page.getByRole('combobox', { name: /^Account/ }).fill('Bank Charges')
  await page
    .getByRole('option', { name: /Bank Charges/ })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Book on an account' }).click()
  await page.getByText('Everything is matched').waitFor()
}

async function invite(page: Page): Promise<void> {
  const form = page.getByRole('dialog')
  await form.waitFor()
  await page.keyboard.type('sam@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Sam Reed')
  await form.getByRole('checkbox', { name: /^Sales User/ }).check()
  await form.getByRole('button', { name: 'Send the invitation' }).click()
  await page.getByRole('row', { name: /Sam Reed/ }).waitFor()
}

test.run()
