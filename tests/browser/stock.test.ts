import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../cli/process.ts'
import { cameraPicture } from './camera-picture.ts'
import { type DeskSite, openDeskSite, violations } from './desk-site.ts'
import { picture } from './pictures.ts'

const test = suite('the stock in the Desk')

const PHONE = { viewport: { width: 390, height: 844 } }

let site: DeskSite
const folder = temporaryFolder()
test.before(async () => {
  const seen = join(folder.path, 'seen.y4m')
  writeFileSync(seen, cameraPicture('9005550001010'))
  site = await openDeskSite({ demo: true, seen })
})
test.after(async () => {
  await site.close()
  folder.remove()
})

interface Records {
  readonly data: readonly Readonly<Record<string, unknown>>[]
}

const balanceOf = (item: string): Promise<Record<string, unknown>> =>
  site.api('GET', `/v1/bins/${item}::Stores`)

test('shows by warehouse what is there, and of an item that is scanned what moved it and was there then', async () => {
  const { page, quiet, close } = await site.open('/stock', {
    viewport: { width: 1280, height: 860 },
  })
  const table = page.getByRole('region', { name: 'Availability by warehouse' })
  await table.getByRole('link', { name: 'Helmet Alpin' }).waitFor()
  assert.equal(await violations(page), [])
  await picture('30-availability', page)
  const box = page.getByRole('searchbox', { name: 'Name, code or barcode' })
  await box.fill('no such thing')
  await box.press('Enter')
  await page.getByText('Nothing is called no such thing').waitFor()
  await box.fill('9005550001010')
  await box.press('Enter')
  await page.waitForURL(/item=AC-HELM/)
  await page.getByRole('heading', { name: 'Helmet Alpin' }).waitFor()
  const bin = await balanceOf('AC-HELM')
  const numbers = await page.locator('.item-numbers dd').allTextContents()
  assert.equal(numbers.map(Number), [
    bin.actual_qty,
    bin.reserved_qty,
    bin.ordered_qty,
    bin.projected_qty,
  ])
  const rows = page.locator('.item-moves tbody tr')
  await rows.first().waitFor()
  const moves = await rows.evaluateAll((all) =>
    all.map((row) => [3, 4].map((at) => Number(row.children[at]?.textContent))),
  )
  const { data } = await site.api<Records>(
    'GET',
    '/v1/stock-ledger-entries?item_code=AC-HELM&limit=100',
  )
  assert.is(moves.length, data.length)
  // All of its movements are there: what was there after the newest is what is there, after the oldest what that brought.
  assert.is(moves[0]?.[1], bin.actual_qty)
  assert.is(moves.at(-1)?.[1], moves.at(-1)?.[0])
  assert.equal(await violations(page), [])
  await picture('31-item-in-stock', page)
  quiet('an item')
  await close()
})

test('is counted on a phone: scan, quantity, next, kept through a reload, booked with its differences', async () => {
  const before = {
    helmets: Number((await balanceOf('AC-HELM')).actual_qty),
    bottles: Number((await balanceOf('AC-BOTT')).actual_qty),
  }
  const { page, quiet, close } = await site.open('/count', { ...PHONE, colorScheme: 'dark' })
  await page.getByRole('button', { name: 'Stores', exact: true }).click()
  const count = async (code: string, item: string, qty: number): Promise<void> => {
    const box = page.getByRole('searchbox', { name: 'Name, code or barcode' })
    await box.fill(code)
    await box.press('Enter')
    await page.getByLabel(`Quantity of ${item}`).fill(String(qty))
    await page.keyboard.press('Enter')
  }
  // Two helmets less than there should be, in two heaps; as many bottles as there should be.
  await count('9005550001010', 'Helmet Alpin', before.helmets - 10)
  await count('AC-BOTT', 'Bottle with cage', before.bottles)
  await page.getByRole('list', { name: 'Counted' }).getByText('Bottle with cage').waitFor()
  await page.reload()
  await count('AC-HELM', 'Helmet Alpin', 8)
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Helmet Alpin' })
    .getByText(String(before.helmets - 2))
    .waitFor()
  assert.equal(await violations(page), [])
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  await page.getByRole('button', { name: 'Show the differences' }).click()
  const { helmets, bottles } = before
  const row = (name: RegExp) => page.getByRole('row', { name })
  await row(new RegExp(`^Helmet Alpin ${helmets} ${helmets - 2} -2$`)).waitFor()
  await row(new RegExp(`^Bottle with cage ${bottles} ${bottles} 0$`)).waitFor()
  assert.equal(await violations(page), [])
  await page.getByRole('button', { name: 'Set the stock to it' }).click()
  await page.getByText('Where do you count?').waitFor()
  assert.is((await balanceOf('AC-HELM')).actual_qty, helmets - 2)
  assert.is((await balanceOf('AC-BOTT')).actual_qty, bottles)
  quiet('a count')
  await close()
})

test('reads a code that is held before the camera, in a browser that has no reader of its own', async () => {
  const { page, quiet, close } = await site.open('/stock', { ...PHONE, permissions: ['camera'] })
  await page.getByRole('button', { name: 'Camera', exact: true }).click()
  await page.waitForURL(/item=AC-HELM/)
  await page.getByRole('heading', { name: 'Helmet Alpin' }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  quiet('a camera')
  await close()
})

test('says where there is no camera', async () => {
  const { page, quiet, close } = await site.open('/healthz', PHONE)
  // As in a browser that lets no page look: what it has for it is not there.
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'mediaDevices', { value: undefined }),
  )
  await page.goto('/stock')
  await page.getByRole('button', { name: 'Camera', exact: true }).click()
  await page.getByRole('dialog').getByRole('alert').waitFor()
  assert.equal(await violations(page), [])
  await page.getByRole('button', { name: 'Close the camera' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  quiet('a camera')
  await close()
})

test('shows work orders by their state, and makes what comes next from a card', async () => {
  const { page, quiet, close } = await site.open('/work-orders?layout=board', {
    viewport: { width: 1280, height: 860 },
  })
  const column = page.getByRole('region', { name: /^Not Started/ })
  const card = column.locator('[data-card]').first()
  await card.getByText('Quantity to make').waitFor()
  const id = await card.getAttribute('data-card')
  assert.equal(await violations(page), [])
  await column.getByRole('button', { name: new RegExp(`^Next step of .*${id}$`) }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Make material transfer' }).click()
  await page.waitForURL(/\/stock-entries\/./)
  const entry = decodeURIComponent(new URL(page.url()).pathname.split('/')[2] ?? '')
  const made = await site.api('GET', `/v1/stock-entries/${entry}`)
  assert.equal([made.docstatus, made.work_order], [0, id])
  quiet('a board of work')
  await close()
})

test.run()
