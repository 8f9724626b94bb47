import type { BrowserContext, Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeskSite, openDeskSite } from './desk-site.ts'
import { dropFiles } from './dropped-files.ts'
import { ALARM, HOSTILE, type HostileFile } from './hostile-files.ts'

const test = suite('hostile files')

/** A file as it is kept: of whom there is one for those who are signed in, and one for everybody. */
interface Kept extends HostileFile {
  readonly kept: string
  readonly address: string
  readonly open: string
}

let site: DeskSite
let files: readonly Kept[]
test.before(async () => {
  site = await openDeskSite()
  await site.api('POST', '/v1/customers', { customer_name: 'Anna' })
  const { page, close } = await site.open('/healthz')
  const { csrf } = await (await page.request.get('/v1/boot')).json()
  files = await Promise.all(
    HOSTILE.map(async (file) => {
      const kept = file.kept ?? file.name
      const address = await bring(page, csrf, file, kept, {
        resource: 'customers',
        id: 'CUST-00001',
      })
      return {
        ...file,
        kept,
        address,
        open: await bring(page, csrf, file, kept, { is_private: '0' }),
      }
    }),
  )
  await close()
})
test.after(() => site.close())

/** Sends a file, byte for byte as said, with the session of a page; its address. */
async function bring(
  page: Page,
  csrf: string,
  { name, type, content, isInJson }: HostileFile,
  kept: string,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  if (isInJson) return bringInJson(name, content, kept, fields)
  const named = `filename="${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  const part = (head: string): string => `--limit\r\nContent-Disposition: form-data; ${head}`
  const before = Object.entries(fields).map(([key, value]) =>
    part(`name="${key}"\r\n\r\n${value}\r\n`),
  )
  const made = await page.request.post('/v1/files', {
    headers: { 'X-CSRF-Token': csrf, 'Content-Type': 'multipart/form-data; boundary=limit' },
    data: Buffer.concat([
      Buffer.from(before.join('')),
      Buffer.from(part(`name="file"; ${named}\r\nContent-Type: ${type}\r\n\r\n`)),
      Buffer.from(content),
      Buffer.from('\r\n--limit--\r\n'),
    ]),
  })
  assert.is(made.status(), 201, `${name}: ${await made.text()}`)
  const { file_name, file_url } = await made.json()
  assert.is(file_name, kept)
  return file_url
}

/** The same by surface A, whose JSON carries every sign. */
async function bringInJson(
  filename: string,
  content: string | Buffer,
  kept: string,
  { id, is_private = '1' }: Readonly<Record<string, string>>,
): Promise<string> {
  const { message } = await site.api<{ message: { file_name: string; file_url: string } }>(
    'POST',
    '/api/method/frappe.client.attach_file',
    {
      ...{
        filename,
        filedata: Buffer.from(content).toString('base64'),
        decode_base64: 1,
        is_private,
      },
      ...(id === undefined ? {} : { doctype: 'Customer', docname: id }),
    },
  )
  assert.is(message.file_name, kept)
  return message.file_url
}

/** What hostile files have done in a browser: requests, dialogs, marks in windows, cookies and storage. */
function watch(context: BrowserContext): () => Promise<readonly string[]> {
  const seen: string[] = []
  context.on('request', (request) => {
    if (request.url().includes('/canary')) seen.push(`request ${request.url()}`)
  })
  context.on('dialog', (dialog) => {
    // A program of a PDF has the viewer's own world: it can open a dialog, and reaches no page.
    if (dialog.message() !== 'paper') seen.push(`dialog ${dialog.message()}`)
    // Its page may have gone meanwhile, and the dialog with it.
    dialog
      .dismiss()
      .catch((error: Error) =>
        assert.match(error.message, /Not attached|No dialog is showing|closed/),
      )
  })
  return async () => {
    for (const page of context.pages()) {
      // A page of ours comes last: what was asked for before has been told by then.
      await page.goto('/healthz')
      if (await page.evaluate(() => localStorage.getItem('canary'))) seen.push('storage')
    }
    const cookies = await context.cookies()
    if (cookies.some(({ name }) => name === 'canary')) seen.push('cookie')
    return seen.splice(0)
  }
}

/** Name that Chromium saves a file by, undefined for what is shown: signs that no system takes are replaced. */
function savedName({ shown, kept }: Kept): string | undefined {
  return shown ? undefined : kept.replace(/["*/:<>?\\|]/g, '_')
}

/** Opens an address; the name that is saved, or undefined for what is shown. */
async function opened(page: Page, file: Kept, address: string): Promise<string | undefined> {
  if (file.shown) {
    const answer = await page.goto(address)
    assert.is(answer?.headers()['content-type'], file.shown)
    return undefined
  }
  const download = page.waitForEvent('download')
  download.catch(() => undefined)
  await page.goto(address).catch((error: Error) => {
    assert.match(error.message, /Download is starting|ERR_ABORTED/)
  })
  return (await download).suggestedFilename()
}

const GUEST = { storageState: { cookies: [], origins: [] } }

test('would be heard where one runs', async () => {
  const { page, close } = await site.open('/healthz')
  const ran = watch(page.context())
  await page.route('**/control', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<script>${ALARM}</script>` }),
  )
  await page.goto('/control')
  assert.is(await page.evaluate(() => 'canary' in window), true)
  const kinds = (await ran()).map((one) => one.split(' ')[0])
  assert.equal(kinds.sort(), ['cookie', 'dialog', 'request', 'storage'])
  await close()
})

for (const [who, of, options] of [
  ['those who are signed in', 'address', {}],
  ['everybody', 'open', GUEST],
] as const)
  test(`opened by their address by ${who}, are saved under their name and run nothing`, async () => {
    const { page, close } = await site.open('/healthz', options)
    const ran = watch(page.context())
    for (const file of files)
      assert.is(await opened(page, file, file[of]), savedName(file), file.kept)
    assert.equal(await ran(), [])
    await close()
  })

test('dropped on the form of a new record, are shown beside it and run nothing', async () => {
  const { page, close } = await site.open('/customers/new')
  const ran = watch(page.context())
  await page.locator('.record-main input').first().waitFor()
  const paper = HOSTILE.find(({ shown }) => shown === 'application/pdf')!
  const [html] = HOSTILE
  const named = [paper, html!].map((file, at) => ({ ...file, name: `${at}.pdf` }))
  const dropped = [...HOSTILE, ...named]
  await dropFiles(page, dropped)
  const lines = page.locator('.beside li')
  await lines.nth(dropped.length - 1).waitFor()
  for (const line of await lines.locator('button.file-name').all()) {
    await line.click()
    await page.locator('.beside').locator('iframe, img, p').first().waitFor()
  }
  await page.locator('.beside button.file-name', { hasText: '0.pdf' }).click()
  await page.locator('.beside iframe').waitFor()
  assert.is(await page.locator('iframe').count(), 1)
  assert.is(await page.locator('.beside button.file-name', { hasText: '1.pdf' }).count(), 0)
  const remove = page.locator('.beside li .icon-button')
  for (let left = dropped.length; left > 0; left -= 1) await remove.first().click()
  await page.locator('.beside').waitFor({ state: 'detached' })
  assert.equal(await ran(), [])
  await close()
})

test.run()
