import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../cli/process.ts'
import { jsonIn, shellIn } from '../examples/example.ts'
import { blocksOf } from './page.ts'

const test = suite('the first invoice of docs/tour.md')
const folder = temporaryFolder()

test.after(() => folder.remove())

test('goes from an empty folder over paper to payment in under ten requests', async () => {
  const blocks = blocksOf('docs/tour.md', 'bash')
  const requests = blocks.join('').match(/^(?!send\(\)).*\b(send|curl) /gm) ?? []
  assert.is(requests.length, 9)
  const inFolder = blocks
    .map((text) => text.replaceAll('/tmp/', `${folder.path}/`))
    .map((text) => text.replace('npx svc serve', 'npx svc serve --port 0'))
  const stopping = "trap 'kill $(jobs -p); wait' EXIT"
  const [, , billing = '', payment = ''] = await shellIn(
    folder.path,
    folder.path,
  )([stopping, ...inFolder])
  assert.equal(billing.split('\n'), ['HOUR', 'Unpaid'])
  const paper = readFileSync(join(folder.path, 'svc-tour-invoice.html'), 'utf8')
  for (const words of ['Acme GmbH', 'Ann &amp; Co', '357,00']) assert.match(paper, words)
  const [submitted, paid] = payment.split('\n')
  assert.equal([submitted, paid], ['Submitted', 'Paid'])
  // 3 × 100 and 19 % of it are 357.
  const [ledger] = jsonIn(payment.slice(payment.indexOf('{'))) as [{ data: Row[] }]
  assert.equal(
    ledger.data.map(({ account, debit, credit }) => [account, debit, credit]).toSorted(),
    [
      ['Bank', 357, 0],
      ['Erlöse 19 % USt', 0, 300],
      ['Forderungen aus Lieferungen und Leistungen', 0, 357],
      ['Forderungen aus Lieferungen und Leistungen', 357, 0],
      ['Umsatzsteuer 19 %', 0, 57],
    ],
  )
})

type Row = Record<string, unknown>

test.run()
