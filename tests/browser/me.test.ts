import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeskSite, openDeskSite, violations } from './desk-site.ts'
import { picture } from './pictures.ts'

const test = suite("one's own page")

const PHONE = { viewport: { width: 390, height: 844 } }

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

interface Records {
  readonly data: readonly Readonly<Record<string, unknown>>[]
}

let site: DeskSite
let own: string
test.before(async () => {
  site = await openDeskSite({ demo: true })
  const { data } = await site.api<Records>(
    'GET',
    '/v1/employees?user_id=owner@demo.example&limit=1',
  )
  own = String(data[0]?.id)
})
test.after(() => site.close())

test('what waits for a word is approved on a phone with one press, and taken down', async () => {
  const { id } = await site.api('POST', '/v1/leave-applications', {
    ...{ employee: 'EMP-00010', leave_type: 'Leave Without Pay' },
    ...{ from_date: '2026-12-14', to_date: '2026-12-16' },
  })
  const { page, quiet, close } = await site.open('/me', { ...PHONE, colorScheme: 'dark' })
  const waiting = page.getByRole('region', { name: 'Waits for your word' })
  // Beside what the demo company itself has to decide.
  const card = waiting.getByRole('listitem').filter({ hasText: 'Dec 14, 2026' })
  await card.getByText('Vera Sonnleitner').waitFor()
  assert.equal(await violations(page), [])
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  await picture('32-phone-approvals', page)
  await card.getByRole('button', { name: 'Approved' }).click()
  await page.getByText('Vera Sonnleitner: Approved').waitFor()
  await card.waitFor({ state: 'detached' })
  const leave = await site.api('GET', `/v1/leave-applications/${id}`)
  assert.equal([leave.status, leave.docstatus], ['Approved', 1])
  quiet('an approval')
  await close()
})

test('an expense is claimed by its photo, and payslips are those of the person alone', async () => {
  const { page, quiet, close } = await site.open('/me', PHONE)
  const expenses = page.getByRole('region', { name: 'My expenses' })
  await expenses.getByText('No expenses yet.').waitFor()
  const chooser = page.waitForEvent('filechooser')
  await expenses.getByRole('button', { name: 'Photo of the receipt' }).click()
  await (await chooser).setFiles({ name: 'taxi.png', mimeType: 'image/png', buffer: PIXEL })
  await expenses.getByRole('button', { name: 'taxi.png' }).waitFor()
  await expenses.getByLabel('Spent').fill('23.40')
  await expenses.getByLabel('What for').fill('Taxi to the fair')
  assert.equal(await violations(page), [])
  await expenses.getByRole('button', { name: 'Claim it' }).click()
  await expenses.getByText('€23.40').waitFor()
  const { data: claims } = await site.api<Records>('GET', `/v1/expense-claims?employee=${own}`)
  const claim = await site.api<{
    docstatus: number
    total_claimed_amount: number
    expenses: readonly { receipt: string; description: string }[]
  }>('GET', `/v1/expense-claims/${claims[0]?.id}`)
  assert.equal([claim.docstatus, claim.total_claimed_amount], [0, 23.4])
  assert.is(claim.expenses[0]?.description, 'Taxi to the fair')
  assert.match(claim.expenses[0]?.receipt ?? '', /taxi\.png$/)
  const slips = page.getByRole('region', { name: 'My payslips' }).getByRole('link')
  const { data: mine } = await site.api<Records>(
    'GET',
    `/v1/salary-slips?employee=${own}&docstatus=1&limit=6`,
  )
  assert.ok(mine.length > 0)
  await slips.nth(mine.length - 1).waitFor()
  assert.is(await slips.count(), mine.length)
  await page.getByRole('link', { name: 'Who is away' }).click()
  await page.waitForURL(/layout=calendar/)
  quiet('an expense')
  await close()
})

test('the Desk can be installed: its manifest and icons are there for everybody', async () => {
  const { page, close } = await site.open('/', { viewport: { width: 1280, height: 800 } })
  const href = await page.locator('link[rel=manifest]').getAttribute('href')
  const answer = await fetch(new URL(href ?? '', site.url))
  assert.is(answer.headers.get('content-type')?.split(';')[0], 'application/manifest+json')
  const manifest = (await answer.json()) as {
    start_url: string
    display: string
    icons: readonly { src: string; sizes: string; type: string }[]
  }
  assert.equal([manifest.start_url, manifest.display], ['/', 'standalone'])
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await fetch(new URL(src, site.url))
    assert.equal([icon.status, icon.headers.get('content-type')], [200, type], src)
    const width = await page.evaluate(async (address) => {
      const image = new Image()
      image.src = address
      await image.decode()
      return image.naturalWidth
    }, src)
    if (sizes !== 'any') assert.is(`${width}x${width}`, sizes)
  }
  await close()
})

test.run()
