import type { BrowserContext, Page, Route } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeskSite, openDeskSite } from './desk-site.ts'
import { dropFiles } from './dropped-files.ts'
import { ALARM, HOSTILE, HOSTILE_NAME, type HostileFile } from './hostile-files.ts'

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
  await site.api('POST', '/v1/customers', { customer_name: HOSTILE_NAME })
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

/** A page that takes each address in every way that a page can. */
function takingAll(addresses: readonly string[]): string {
  const elements = addresses.map(
    (address) =>
      `<img src="${address}"><iframe src="${address}"></iframe><object data="${address}"></object>` +
      `<video src="${address}"></video><link rel="stylesheet" href="${address}"><script src="${address}"></script>`,
  )
  return `<!doctype html><meta charset="utf-8"><body>${elements.join('')}`
}

/** Serves a page at an address of any origin, and opens it; what it takes has been there or was refused by then. */
async function openMade(page: Page, address: string, content: string): Promise<void> {
  await page.route(address, (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body: content }),
  )
  await page.goto(address)
}

test('would be heard where one runs', async () => {
  const { page, close } = await site.open('/healthz')
  const ran = watch(page.context())
  await page.route('**/control', (route) => route.fulfill(running(route, ALARM)))
  await page.goto('/control')
  assert.is(await page.evaluate(() => 'canary' in window), true)
  const kinds = async () => (await ran()).map((one) => one.split(' ')[0])
  assert.equal((await kinds()).sort(), ['cookie', 'dialog', 'request', 'storage'])
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  // A dialog holds the load of its page up; frames of another origin open none.
  await page.route('**/silent', (route) =>
    route.fulfill(running(route, ALARM.replace("alert('canary')", ''))),
  )
  const [own, other] = origins()
  await openMade(page, `${other}/made`, takingAll([`${own}/silent`]))
  assert.is(await page.evaluate(() => 'canary' in window), true)
  // By the script, the frame and the object.
  assert.equal(await kinds(), ['request', 'request', 'request', 'cookie'])
  await close()
})

/** What answers a request for a script with one, and all others with a page that has it. */
function running(route: Route, script: string): { contentType: string; body: string } {
  return route.request().resourceType() === 'script'
    ? { contentType: 'text/javascript', body: script }
    : { contentType: 'text/html', body: `<script>${script}</script>` }
}

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
  for (let left = dropped.length; left > 0; left -= 1) {
    await remove.first().click()
    // The list moves up below the pointer: what is pressed meanwhile would be another line or none.
    await lines.nth(left - 1).waitFor({ state: 'detached' })
  }
  await page.locator('.beside').waitFor({ state: 'detached' })
  assert.equal(await ran(), [])
  await close()
})

/** The origin of the workspace, and another one: the same machine by its other name. */
function origins(): readonly [own: string, other: string] {
  return [site.url, site.url.replace('127.0.0.1', 'localhost')]
}

test('taken by pages of their own and of another origin, whole, in parts and small, run nothing', async () => {
  const { page, close } = await site.open('/healthz')
  const ran = watch(page.context())
  const [own, other] = origins()
  const taken = new Set<string>()
  page.on('request', (request) => {
    if (request.url().includes('/files/')) taken.add(request.resourceType())
  })
  const all = (of: 'address' | 'open') =>
    files.flatMap((file) => [file[of], `${file[of]}?size=thumb`])
  await openMade(page, `${own}/made`, takingAll(all('address')))
  const [shown] = files.filter(({ shown }) => shown === 'image/png')
  const widthOf = (address: string) =>
    page.evaluate(
      (src) => document.querySelector<HTMLImageElement>(`img[src="${src}"]`)?.naturalWidth,
      address,
    )
  // A picture is one, also where it is called a page: that is what the page may do with it.
  assert.is(await widthOf(shown!.address), 8)
  assert.equal(await page.evaluate(() => 'canary' in window), false)
  assert.equal([...taken].sort(), ['document', 'image', 'media', 'script', 'stylesheet'])
  for (const { open, kept } of files.filter(({ content }) => content.length > 0)) {
    const [part, whole] = await Promise.all(
      [{ Range: 'bytes=0-999999' }, {}].map((headers) => page.request.get(open, { headers })),
    )
    assert.is(part!.status(), 206, kept)
    for (const name of ['content-type', 'content-disposition', 'content-security-policy'])
      assert.is(part!.headers()[name], whole!.headers()[name], kept)
    assert.match(part!.headers()['content-security-policy'] ?? '', /sandbox/)
  }
  await openMade(page, `${other}/made`, takingAll(all('open').map((address) => own + address)))
  // What another origin asks for stays here, pictures too.
  assert.is(await widthOf(own + shown!.open), 0)
  assert.equal(await page.evaluate(() => 'canary' in window), false)
  assert.equal(await ran(), [])
  await close()
})

test('shown in the Desk, on a record and in a list, as the logo of a paper and on a public page, run nothing', async () => {
  const { page, close } = await site.open('/customers/CUST-00001')
  const ran = watch(page.context())
  const lines = page.getByRole('region', { name: 'Files' }).getByRole('listitem')
  await lines.nth(files.length - 1).waitFor()
  assert.equal(
    (await lines.locator('a').allTextContents()).sort(),
    files.map(({ kept }) => kept).sort(),
  )
  await page.goto('/files')
  await page.getByText(files[0]!.kept).first().waitFor()
  assert.is(await page.evaluate(() => 'canary' in window), false)
  const [company] = (await site.api<{ data: { id: string }[] }>('GET', '/v1/companies?fields=id'))
    .data
  const drawing = files.find(({ kept }) => kept === 'drawing.svg')!
  await site.api('PATCH', `/v1/companies/${company!.id}`, { company_logo: drawing.address })
  await page.goto('/print/customers/CUST-00001')
  assert.is(await page.locator('img').getAttribute('src'), drawing.address)
  assert.is(await page.evaluate(() => 'canary' in window), false)
  const { url } = await site.api<{ url: string }>('POST', '/v1/customers/CUST-00001/links', {})
  assert.equal(await ran(), [])
  await close()
  const guest = await site.open(new URL(url).pathname, GUEST)
  const guestRan = watch(guest.page.context())
  await guest.page.reload()
  await guest.page.getByText(HOSTILE_NAME).first().waitFor()
  // Pictures need somebody who may read them.
  assert.is(await guest.page.locator('img').count(), 0)
  assert.is(await guest.page.evaluate(() => 'canary' in window), false)
  assert.equal(await guestRan(), [])
  await guest.close()
})

test.run()
