import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeskSite, launch, MOST_MS, openDeskSite, violations } from './desk-site.ts'

const test = suite('what others see, and what others bring')

let site: DeskSite
test.before(async () => {
  site = await openDeskSite()
})
test.after(() => site.close())

/** Asks for an address that a test can see: only a program that ran does. */
const ALARM = "fetch('/ran-a-script')"

/** Files whose makers hope that a browser runs them. */
const HOSTILE: readonly (readonly [name: string, content: string])[] = [
  [
    'a.svg',
    `<svg xmlns="http://www.w3.org/2000/svg" onload="${ALARM}"><script>${ALARM}</script></svg>`,
  ],
  ['a.html', `<!doctype html><body onload="${ALARM}"><script>${ALARM}</script>`],
  ['a.png', `<html><img src=x onerror="${ALARM}"><script>${ALARM}</script>`],
  [
    'a.xhtml',
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>${ALARM}</script></html>`,
  ],
  ['a.js', ALARM],
  ['a.css', `body { background: url(/ran-a-script) }`],
]

/** Brings a file as somebody who is signed in does; its address. */
async function bring(page: Page, name: string, content: string): Promise<string> {
  const { csrf } = await (await page.request.get('/v1/boot')).json()
  const made = await page.request.post('/v1/files', {
    headers: { 'X-CSRF-Token': csrf },
    multipart: {
      is_private: '0',
      file: { name, mimeType: 'text/html', buffer: Buffer.from(content) },
    },
  })
  assert.is(made.status(), 201, await made.text())
  return (await made.json()).file_url
}

/** Requests that only a script, or a style, of a hostile file makes. */
function alarms(page: Page): string[] {
  const found: string[] = []
  page.context().on('request', (request) => {
    if (request.url().includes('ran-a-script')) found.push(request.url())
  })
  return found
}

test('files that hold programs are downloaded, and run nowhere', async () => {
  const { page, close } = await site.open('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const ran = alarms(page)
  for (const [name, content] of HOSTILE) {
    const url = await bring(page, name, content)
    const download = page.waitForEvent('download')
    // The browser says that there is no page to go to, but a file to keep.
    await page.goto(url).catch((error: Error) => assert.match(error.message, /download|aborted/i))
    assert.is((await download).suggestedFilename(), name)
  }
  assert.equal(ran, [])
  await close()
})

test('nor do they run within a page of ours whose content policy were gone', async () => {
  const { page, close } = await site.open('/', { bypassCSP: true, acceptDownloads: true })
  await page.getByRole('heading', { level: 1 }).waitFor()
  const ran = alarms(page)
  const urls: string[] = []
  for (const [name, content] of HOSTILE) urls.push(await bring(page, name, content))
  const settled = await page.evaluate(async (addresses) => {
    const made = addresses.flatMap((address) => [
      Object.assign(document.createElement('img'), { src: address }),
      Object.assign(document.createElement('script'), { src: address }),
      Object.assign(document.createElement('link'), { rel: 'stylesheet', href: address }),
    ])
    const ends = made.map(
      (element) =>
        new Promise((resolve) => {
          element.addEventListener('load', () => resolve(`loaded ${element.tagName}`))
          element.addEventListener('error', () => resolve('refused'))
        }),
    )
    document.body.append(...made)
    return Promise.all(ends)
  }, urls)
  assert.equal(
    settled.filter((one) => one !== 'refused'),
    [],
  )
  assert.equal(ran, [])
  await close()
})

test('a link shows the paper to who has it, in both themes, on a telephone, and takes a question', async () => {
  await site.api('POST', '/v1/items', {
    item_code: 'LAMP',
    item_name: 'Lamp',
    is_stock_item: false,
  })
  const customer = await site.api<{ id: string }>('POST', '/v1/customers', {
    customer_name: 'Blue <b>Whale</b>',
  })
  const quotation = await site.api<{ id: string }>('POST', '/v1/quotations', {
    customer: customer.id,
    items: [{ item_code: 'LAMP', qty: 2, rate: 10, description: '<script>alert(1)</script>' }],
  })
  const path = `/v1/quotations/${quotation.id}`
  const link = await site.api<{ id: string; url: string }>('POST', `${path}/links`, {})
  const address = `${site.url}${new URL(link.url).pathname}`
  const browser = await launch()
  try {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1200, 360]) {
        const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
        const page = await context.newPage()
        page.setDefaultTimeout(MOST_MS)
        const complaints: string[] = []
        page.on('pageerror', ({ message }) => complaints.push(message))
        page.on('console', (message) => complaints.push(message.text()))
        const elsewhere: string[] = []
        page.on('request', (request) => {
          if (!request.url().startsWith(site.url) && !request.url().startsWith('data:'))
            elsewhere.push(request.url())
        })
        await page.goto(`${address}?lang=de`)
        await page.getByText('Blue <b>Whale</b>').first().waitFor()
        assert.equal(await violations(page), [], `${colorScheme} ${width}`)
        assert.ok(
          await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          `${colorScheme} ${width}: wider than its page`,
        )
        assert.equal([complaints, elsewhere, await context.cookies()], [[], [], []])
        await context.close()
      }
    const page = await (await browser.newContext()).newPage()
    page.setDefaultTimeout(MOST_MS)
    await page.goto(address)
    await page.getByLabel('Your name').fill('Wanda')
    await page.getByLabel('A question about this').fill('Is it brass?')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Thank you: your question has arrived.').waitFor()
    const { data } = await site.api<{ data: { text?: string }[] }>('GET', `${path}/timeline`)
    assert.ok(
      data.some(({ text }) => text?.includes('Is it brass?')),
      JSON.stringify(data),
    )
    await site.api('DELETE', `/v1/links/${link.id}`)
    const gone = await page.goto(address)
    assert.is(gone?.status(), 404)
    await page.getByText('this link is not there any more', { exact: false }).waitFor()
    assert.equal(await violations(page), [])
  } finally {
    await browser.close()
  }
})

test.run()
