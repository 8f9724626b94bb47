import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../cli/process.ts'
import { type DeskSite, openDeskSite, violations } from './desk-site.ts'
import { type DroppedFile, dropFiles } from './dropped-files.ts'
import { supplierBill } from './supplier-bill.ts'

const test = suite('files beside a form')

const BILL: DroppedFile = {
  name: 'bill.pdf',
  type: 'application/pdf',
  content: supplierBill(['Parts and Co', 'Bill 4711', '2 repairs of a stand at 120.00']),
}
const NOTE: DroppedFile = { name: 'note.txt', type: 'text/plain', content: 'Paid by Friday' }
/** A picture of one point. */
const PHOTO: DroppedFile = {
  name: 'receipt.png',
  type: 'image/png',
  content: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  ),
}

/** Whether the browser's own viewer draws a paper in the page. */
const isDrawn = (page: Page): boolean =>
  page.frames().some((frame) => frame.url().startsWith('chrome-extension://'))

let site: DeskSite
test.before(async () => {
  site = await openDeskSite()
})
test.after(() => site.close())

/** Names of the files that belong to a record. */
async function filesOf(page: Page): Promise<readonly string[]> {
  const id = page.url().split('/').at(-1)
  const { data } = await site.api<{ data: { file_name: string }[] }>(
    'GET',
    `/v1/files?attached_to_name=${id}&fields=file_name&sort=file_name&order=asc`,
  )
  return data.map(({ file_name: name }) => name)
}

const nameField = (page: Page) => page.getByLabel(/^Name|^Supplier name/).first()

test('what is dropped on a new form is shown beside it, and belongs to the record once that is made', async () => {
  const { page, quiet, close } = await site.open('/suppliers/new', {
    viewport: { width: 1280, height: 800 },
  })
  await nameField(page).waitFor()
  await dropFiles(page, [BILL, NOTE, PHOTO])
  const panel = page.getByRole('complementary', { name: 'Attached' })
  const picture = panel.getByRole('img', { name: 'receipt.png' })
  await picture.evaluate((image: HTMLImageElement) => image.decode())
  await panel.getByRole('button', { name: 'Enlarge receipt.png' }).click()
  await panel.getByRole('button', { name: 'bill.pdf', exact: true }).click()
  const paper = panel.locator('iframe[title="bill.pdf"]')
  await paper.waitFor()
  await page.waitForFunction(() => navigator.pdfViewerEnabled)
  // A frame is there before its address is: no event tells when both are.
  await eventually(() => isDrawn(page))
  assert.ok((await paper.boundingBox())!.width >= 400)
  assert.ok((await nameField(page).boundingBox())!.width >= 200)
  await panel.getByText('note.txt').waitFor()
  assert.equal(await violations(page), [])
  await paper.evaluate((frame) => frame.setAttribute('data-same', 'yes'))
  await nameField(page).fill('Parts and Co')
  await page.keyboard.press('Control+s')
  await page.getByRole('heading', { name: 'Parts and Co', level: 1 }).waitFor()
  const files = page.getByRole('region', { name: 'Files' })
  for (const { name } of [BILL, NOTE, PHOTO]) await files.getByRole('link', { name }).waitFor()
  assert.equal(await filesOf(page), ['bill.pdf', 'note.txt', 'receipt.png'])
  // The very same paper goes on standing there; what was only a line is among the files now.
  assert.is(await paper.getAttribute('data-same'), 'yes')
  await panel.getByText('note.txt').waitFor({ state: 'detached' })
  assert.equal(await violations(page), [])
  await panel.getByRole('button', { name: 'Close' }).click()
  await panel.waitFor({ state: 'detached' })
  await files.getByRole('button', { name: 'Show bill.pdf beside the form' }).click()
  await paper.waitFor()
  assert.is(await paper.getAttribute('data-same'), null)
  quiet('beside')
  await close()
})

test('a file is chosen, folded away and removed by the keyboard alone', async () => {
  const { page, quiet, close } = await site.open('/suppliers/new')
  await nameField(page).fill('No files')
  const attach = page.getByRole('button', { name: 'Attach' })
  const chooser = page.waitForEvent('filechooser')
  await attach.press('Enter')
  await (await chooser).setFiles({
    name: BILL.name,
    mimeType: BILL.type,
    buffer: Buffer.from(BILL.content),
  })
  const panel = page.getByRole('complementary', { name: 'Attached' })
  const fold = panel.getByRole('button', { name: 'Attached' })
  await panel.locator('iframe').waitFor()
  await page.getByRole('status').getByText('Attached: bill.pdf').waitFor()
  await fold.press('Enter')
  await panel.locator('iframe').waitFor({ state: 'hidden' })
  assert.is(await fold.getAttribute('aria-expanded'), 'false')
  await fold.press('Enter')
  const remove = panel.getByRole('button', { name: 'Remove bill.pdf' })
  await remove.press('Enter')
  await panel.waitFor({ state: 'detached' })
  assert.ok(await attach.evaluate((button) => button === document.activeElement))
  await page.keyboard.press('Control+s')
  await page.getByRole('heading', { name: 'No files', level: 1 }).waitFor()
  assert.equal(await filesOf(page), [])
  quiet('by the keyboard')
  await close()
})

test('where a file cannot be brought the record stays, says why, and takes it when it is tried again', async () => {
  const { page, close } = await site.open('/suppliers/new')
  let refusals = 0
  await page.route('**/v1/files', async (route) => {
    if (route.request().method() !== 'POST' || refusals > 0) return route.fallback()
    refusals += 1
    const error = { code: 'PAYLOAD_TOO_LARGE', message: 'expected a file of at most 1 MB' }
    await route.fulfill({ status: 413, json: { error } })
  })
  await nameField(page).waitFor()
  await dropFiles(page, [NOTE, BILL])
  const panel = page.getByRole('complementary', { name: 'Attached' })
  await panel.locator('iframe').waitFor()
  // A refused save takes nothing away.
  await page.keyboard.press('Control+s')
  await page.getByRole('alert').waitFor()
  await nameField(page).fill('Late paper')
  await page.keyboard.press('Control+s')
  await page.getByRole('heading', { name: 'Late paper', level: 1 }).waitFor()
  await panel
    .getByRole('alert')
    .getByText('note.txt is not attached: expected a file of at most 1 MB')
    .waitFor()
  const files = page.getByRole('region', { name: 'Files' })
  await files.getByRole('link', { name: 'bill.pdf' }).waitFor()
  assert.equal(await filesOf(page), ['bill.pdf'])
  assert.equal(await violations(page), [])
  // Whoever goes on is asked: the file is nowhere else.
  const asked = page.waitForEvent('dialog')
  const click = page.getByRole('link', { name: 'Suppliers' }).first().click()
  await (await asked).dismiss()
  await click
  await panel.getByRole('button', { name: 'Try again' }).click()
  await files.getByRole('link', { name: 'note.txt' }).waitFor()
  assert.equal(await filesOf(page), ['bill.pdf', 'note.txt'])
  assert.is(refusals, 1)
  await close()
})

test('on a phone, in the dark, the paper stands above the form and folds', async () => {
  const { page, quiet, close } = await site.open('/suppliers/new', {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  })
  await nameField(page).waitFor()
  await dropFiles(page, [PHOTO])
  const panel = page.getByRole('complementary', { name: 'Attached' })
  await panel.getByRole('img').waitFor()
  const [form, paper] = [page.locator('.record-main'), panel]
  const boxes = async () => [(await paper.boundingBox())!, (await form.boundingBox())!] as const
  const [above, below] = await boxes()
  assert.ok(above.y + above.height <= below.y, `${JSON.stringify([above, below])}`)
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  assert.equal(await violations(page), [])
  await panel.getByRole('button', { name: 'Attached' }).click()
  const [folded] = await boxes()
  assert.ok(folded.height < 60, String(folded.height))
  quiet('on a phone')
  await close()
})

test('what only calls itself a paper is a line, and never drawn', async () => {
  const { page, close } = await site.open('/suppliers/new')
  await nameField(page).waitFor()
  const alarm = '<script>parent.document.title = "ran"</script>'
  await dropFiles(page, [
    { name: 'bill.pdf', type: 'text/html', content: alarm },
    { name: 'late.html', type: 'text/html', content: `%PDF-1.4 ${alarm}` },
    { name: 'drawing.svg', type: 'image/svg+xml', content: `<svg>${alarm}</svg>` },
  ])
  const panel = page.getByRole('complementary', { name: 'Attached' })
  await panel.getByText('drawing.svg').waitFor()
  assert.is(await panel.locator('li').count(), 3)
  assert.is(await panel.locator('iframe, img').count(), 0)
  await close()
})

test.run()
