import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeskSite, openDeskSite, violations } from './desk-site.ts'
import { picture } from './pictures.ts'

const test = suite('reports in the Desk')

let site: DeskSite
test.before(async () => {
  site = await openDeskSite({ demo: true })
})
test.after(() => site.close())

interface Link {
  readonly resource: string
  readonly filter: string
  readonly by?: Readonly<Record<string, string>>
  readonly sums?: Readonly<Record<string, number>>
  readonly counts?: true
  readonly either_sign?: true
  readonly table?: string
  readonly total: boolean
}

type Row = Readonly<Record<string, unknown>> & { readonly indent?: number }

interface Listed {
  readonly slug: string
  readonly params: readonly { readonly required: boolean; readonly has_default?: true }[]
}

interface Answer {
  readonly columns: readonly { readonly name: string; readonly link?: Link }[]
  readonly data: readonly Row[]
  readonly totals: Row | null
}

/** What a list comes to, as a link says. */
async function listed(
  { resource, sums = {}, counts, table }: Link,
  filter: string,
): Promise<number> {
  const path = `/v1/${resource}?${filter}`
  if (counts)
    return (await site.api<{ meta: { total: number } }>('GET', `${path}&fields=id&limit=1`)).meta
      .total
  const fields = Object.entries(sums)
  if (table === undefined) {
    const found = await site.api<{ sums: Row }>('GET', `${path}&_sum=${Object.keys(sums)}`)
    return fields.reduce((all, [name, by]) => all + by * Number(found.sums[name]), 0)
  }
  const { data } = await site.api<{ data: readonly Row[] }>(
    'GET',
    `${path}&fields=${table}&limit=100`,
  )
  return data
    .flatMap((record) => record[table] as readonly Row[])
    .flatMap((row) => fields.map(([name, by]) => by * Number(row[name] ?? 0)))
    .reduce((all, value) => all + value, 0)
}

/** Parameters that the list of a row has beside those of its column; in a tree the branch below it. */
function ofRow({ by = {} }: Link, rows: readonly Row[], at: number): string {
  const row = rows[at]!
  const end = rows.findIndex(({ indent = 0 }, other) => other > at && indent <= row.indent!)
  return Object.entries(by)
    .map(([field, column]) => {
      if (row.indent === undefined)
        return `${field}=${encodeURIComponent(String(row[column] ?? ''))}`
      const branch = rows.slice(at, end < 0 ? undefined : end).map((one) => String(one[column]))
      return `${field}__in=${encodeURIComponent(branch.map((one) => one.replace(/[\\,]/g, '\\$&')).join())}`
    })
    .join('&')
}

test('every number of every report comes to the list it opens: totals, and rows at the top, in the middle and at the end', async () => {
  const { data: all } = await site.api<{ data: readonly Listed[] }>('GET', '/v1/reports')
  const reports = all.filter(({ params }) =>
    params.every((one) => !one.required || one.has_default),
  )
  let compared = 0
  const wrong: string[] = []
  for (const { slug } of reports) {
    const { columns, data, totals } = await site.api<Answer>('GET', `/v1/reports/${slug}?limit=500`)
    for (const { name, link } of columns) {
      if (!link || (!link.sums && !link.counts)) continue
      const compare = async (value: unknown, filter: string): Promise<void> => {
        const found = await listed(link, filter)
        const off = link.either_sign
          ? Math.abs(Number(value)) - Math.abs(found)
          : Number(value) - found
        compared += 1
        if (Math.abs(off) > 0.005)
          wrong.push(`${slug} ${name}: ${value}, its list ${found} ${filter}`)
      }
      if (link.total && totals) await compare(totals[name], link.filter)
      if (link.by)
        for (const at of new Set([0, data.length >> 1, data.length - 1]))
          if (data[at])
            await compare(
              data[at][name],
              [link.filter, ofRow(link, data, at)].filter(Boolean).join('&'),
            )
    }
  }
  assert.equal(wrong, [])
  assert.ok(compared > 150, `${compared} numbers were compared`)
})

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('every report opens from the list of reports, says nothing wrong, and is clean in both themes', async () => {
  const { page, quiet, close } = await site.open('/r')
  await heading(page, 'Reports').waitFor()
  const links = await page
    .locator('.report-list a')
    .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
  assert.ok(links.length > 40, String(links.length))
  assert.equal(await violations(page), [], 'the list of reports')
  for (const href of links) {
    await page.goto(href)
    await page.locator('.report-table, .report-page .empty').first().waitFor()
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), href)
    quiet(href)
  }
  await close()
})

test('a report is asked for another period, drawn otherwise, folded, and a number opens what it adds up', async () => {
  const { page, quiet, close } = await site.open('/r/profit-and-loss-statement', {
    viewport: { width: 1440, height: 900 },
  })
  await page.locator('.report-table tbody tr').nth(3).waitFor()
  await picture('20-report', page)
  await page.locator('.span-chip').click()
  await page.getByRole('button', { name: 'Last twelve months' }).click()
  await page.waitForURL(/from_date=/)
  // The report of the period before stands there until that of this one has come.
  await page.locator('.report-body[data-old=false]').waitFor()
  await page.getByTitle('Areas').click()
  await page.waitForURL(/chart=area/)
  assert.is(await page.locator('.chart polygon').count(), 2)
  const before = await page.locator('.report-table tbody tr').count()
  await page.getByRole('button', { name: 'What is below Expenses' }).click()
  assert.ok((await page.locator('.report-table tbody tr').count()) < before)
  const number = page.locator('.report-table tbody tr').first().locator('a.drill').last()
  const amount = await number.textContent()
  await number.click()
  await page.getByRole('row', { name: /^Sum/ }).waitFor()
  // What is sold stands on one side of the accounts, what is taken back on the other.
  const texts = await page.locator('tfoot .number').allTextContents()
  const numbers = texts.map((text) => Number(text.replace(/[^\d.-]/g, ''))).filter(Boolean)
  const wanted = Number(amount?.replace(/[^\d.-]/g, ''))
  assert.ok(
    numbers.some((one) => Math.abs(one - wanted) < 0.01) ||
      Math.abs(Math.abs((numbers[0] ?? 0) - (numbers[1] ?? 0)) - wanted) < 0.01,
    `${wanted}: ${numbers}`,
  )
  await page.goBack()
  await page.waitForURL(/chart=area/)
  quiet('the way into the list and back')
  await close()
})

test('a set of filters is kept and found again, a report is pinned, printed and saved as a file', async () => {
  const { page, quiet, close } = await site.open(
    '/r/accounts-receivable?ageing_based_on=Posting+Date',
    {
      acceptDownloads: true,
    },
  )
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByLabel('Name').fill('By posting')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page
    .getByRole('link', { name: 'By posting' })
    .and(page.locator('[aria-current=page]'))
    .waitFor()
  await page.getByRole('button', { name: 'Pin to Home' }).click()
  await page.getByRole('button', { name: 'Unpin' }).waitFor()
  await page.locator('.page-actions').getByRole('button', { name: 'More' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Save as CSV' }).click()
  const text = readFileSync(await (await download).path(), 'utf8')
  assert.match(text, /^\ufeffCustomer,/)
  await page.emulateMedia({ media: 'print' })
  assert.not.ok(await page.locator('.side').isVisible())
  assert.ok(await page.locator('.report-table').isVisible())
  quiet('what is done with a report')
  await close()
})

/** Waits until the legend of a chart calls customers as they are written, `Dolomiti Bike S.r.l.`. */
async function namesInLegend(page: Page): Promise<void> {
  const { data } = await site.api<{ data: { customer_name: string }[] }>(
    'GET',
    '/v1/customers?fields=customer_name&limit=100',
  )
  const names = [...data.map((one) => one.customer_name), 'Others']
  await page.waitForFunction((known) => {
    const labels = [...document.querySelectorAll('.legend li')].map((one) => one.textContent)
    return labels.length > 2 && labels.every((one) => known.includes(one ?? ''))
  }, names)
}

for (const colorScheme of ['light', 'dark'] as const)
  test(`reports are clean for axe, and fit a phone: ${colorScheme}`, async () => {
    for (const path of ['/r/sales-analytics', '/r/balance-sheet', '/r/issue-summary?chart=donut']) {
      const { page, quiet, close } = await site.open(path, { colorScheme })
      await page.locator('.report-table, .report-page .empty').first().waitFor()
      if (path === '/r/sales-analytics') await namesInLegend(page)
      assert.equal(await violations(page), [], `${path} ${colorScheme}`)
      await page.setViewportSize({ width: 390, height: 844 })
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path)
      if (path === '/r/sales-analytics') await picture(`21-phone-report-${colorScheme}`, page)
      quiet(path)
      await close()
    }
  })

test.run()
