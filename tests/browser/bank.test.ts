import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readStatement } from '../../desk/bank/statement-file.ts'
import { type DeskSite, openDeskSite, violations } from './desk-site.ts'
import { picture } from './pictures.ts'

const files = suite('the file of a bank')

const kindOf = async (content: string | Uint8Array<ArrayBuffer>): Promise<readonly unknown[]> => {
  const read = await readStatement(new File([content], 'statement'))
  return [read.file_format, read.date_format, read.decimal_separator]
}

files('is known by what is in it', async () => {
  assert.equal(await kindOf(':20:START\n:25:AT12/34\n:61:2611161116C10,50NTRF'), [
    'MT940',
    undefined,
    undefined,
  ])
  assert.is(
    (await kindOf('<?xml version="1.0"?><Document><BkToCstmrStmt/></Document>'))[0],
    'CAMT.053',
  )
  assert.is((await kindOf('OFXHEADER:100\n<OFX></OFX>'))[0], 'OFX')
})

files('writes days and amounts as its rows do', async () => {
  const head = 'Date;Text;Amount\n'
  assert.equal(await kindOf(`${head}31.12.2026;a;-1.234,50`), ['CSV', 'DD.MM.YYYY', 'Comma'])
  assert.equal(await kindOf('Date,Text,Amount\n2026-12-31,a,1234.50'), [
    'CSV',
    'YYYY-MM-DD',
    'Point',
  ])
  assert.equal(await kindOf('Date,Text,Amount\n31/12/26,a,5.00\n1/2/26,b,6.00'), [
    'CSV',
    'DD/MM/YY',
    'Point',
  ])
  assert.equal(await kindOf('Date,Text,Amount\n12/1/2026,a,5.00'), ['CSV', 'MM/DD/YYYY', 'Point'])
})

files('is read as Windows wrote it where it is no UTF-8', async () => {
  const bytes = new Uint8Array([0x44, 0x3b, 0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72])
  assert.is((await readStatement(new File([bytes], 'a.csv'))).content, 'D;Müller')
})

files.run()

const test = suite('the bank in the Desk')

let site: DeskSite
test.before(async () => {
  site = await openDeskSite({ demo: true })
})
test.after(() => site.close())

interface Lines {
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly meta: { readonly total: number }
}

const OPEN = '/v1/bank-transactions?unallocated_amount__gt=0&docstatus__lt=2'

test('a month is reconciled by keys alone: Enter takes what fits, an arrow leaves what does not', async () => {
  const before = await site.api<Lines>('GET', `${OPEN}&limit=100`)
  assert.ok(before.meta.total >= 5, String(before.meta.total))
  const { page, quiet, close } = await site.open('/bank', {
    viewport: { width: 1440, height: 900 },
  })
  const list = page.getByRole('listbox', { name: 'Lines of the bank' })
  await list.waitFor()
  assert.equal(await violations(page), [])
  await picture('23-bank', page)
  await list.focus()
  let keys = 0
  let left = before.meta.total
  let passed = 0
  while (passed < left) {
    await page.locator('.suggestion, .suggestions > .quiet').first().waitFor()
    await page.waitForFunction(
      () => !document.querySelector('.suggestions')?.textContent?.includes('Loading'),
    )
    keys += 1
    if ((await page.locator('.suggestion').count()) > 0) {
      await page.keyboard.press('Enter')
      left -= 1
      if (left === 0) {
        await page.getByText('Everything is matched').waitFor()
        break
      }
      await page.waitForFunction(
        (count) => document.querySelectorAll('[role=option]').length === count,
        left,
      )
    } else {
      passed += 1
      if (passed < left) await page.keyboard.press('ArrowDown')
    }
  }
  const after = await site.api<Lines>('GET', `${OPEN}&limit=100`)
  assert.is(after.meta.total, left)
  assert.ok(left <= before.meta.total / 2, `${left} of ${before.meta.total} are left`)
  assert.ok(keys <= before.meta.total, `${keys} keys`)
  quiet('the month')
  await close()
})

test('a statement is dropped, an open invoice is paid by a line, charges are booked on an account', async () => {
  const { data: accounts } = await site.api<Lines>('GET', '/v1/bank-accounts?limit=5')
  const { data: invoices } = await site.api<Lines>(
    'GET',
    '/v1/sales-invoices?docstatus=1&outstanding_amount__gt=0&currency=EUR&limit=1&sort=outstanding_amount',
  )
  const invoice = invoices[0]!
  const csv = [
    'Date,Description,Reference,Amount',
    `2026-11-27,Payment of ${invoice.customer_name},R-1,${invoice.outstanding_amount}`,
    '2026-11-27,Charges of the account,R-2,-7.77',
  ].join('\n')
  const { page, quiet, close } = await site.open(
    `/bank?account=${encodeURIComponent(String(accounts[0]!.id))}`,
    { viewport: { width: 1440, height: 900 } },
  )
  const take = async (): Promise<void> => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Bring in a statement' }).first().click()
    await (await chooser).setFiles({
      name: 'november.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(csv),
    })
  }
  await take()
  await page.getByText('2 new lines').waitFor()
  assert.equal(await violations(page), [])
  await page.getByRole('button', { name: 'Bring in 2' }).click()
  await page.getByRole('option', { name: /Payment of/ }).click()
  const suggestion = page.locator('.suggestion', { hasText: String(invoice.id) })
  await suggestion.getByRole('button', { name: 'Book the payment' }).click()
  await page.getByRole('option', { name: /Payment of/ }).waitFor({ state: 'detached' })
  const paid = await site.api('GET', `/v1/sales-invoices/${invoice.id}`)
  assert.is(paid.outstanding_amount, 0)
  await page.getByRole('option', { name: /Charges/ }).click()
  await page.getByRole('button', { name: /^Book on an account/ }).click()
  await page.getByRole('combobox', { name: /^Account/ }).fill('Exchange')
  await page
    .getByRole('option', { name: /Exchange/ })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Book on an account' }).click()
  await page.getByRole('option', { name: /Charges/ }).waitFor({ state: 'detached' })
  await take()
  await page.getByText('2 are there already').waitFor()
  assert.ok(await page.getByRole('button', { name: 'Bring in 0' }).isDisabled())
  quiet('a statement')
  await close()
})

test('the bank fits a phone, and is clean in the dark', async () => {
  const { page, quiet, close } = await site.open('/bank', {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  })
  await page.locator('.line-panel, .bank-done').first().waitFor()
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  assert.equal(await violations(page), [])
  quiet('a phone')
  await close()
})

test.run()
