import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runHere } from './in-process.ts'
import { type Folder, temporaryFolder } from './process.ts'

const warnings = suite('a warning of svc doctype check')
let folder: Folder

warnings.before.each(() => {
  folder = temporaryFolder()
})
warnings.after.each(() => folder.remove())

/** A rental that posts to debtors by itself; `more` are further words of it. */
const rental = (more: string): string => `doctype: Rental
module: assets
tier: free
submittable: true
${more}fields:
  company: {type: link, options: Company, default_from: is_default}
  posting_date: {type: date, default: today()}
  customer: {type: link, options: Customer, required: true}
  debtors: {type: link, options: Account, default: company.default_receivable_account}
  income: {type: link, options: Account, default: company.default_income_account}
  total: {type: currency}
effects:
  submit:
    - post: GL Entry
      rows:
        - set: {account: debtors, party_type: '"Customer"', party: customer, debit: total}
        - set: {account: income, credit: total}
`

async function check(text: string, ...flags: string[]): Promise<string> {
  const doctypes = join(folder.path, 'doctypes')
  mkdirSync(doctypes, { recursive: true })
  writeFileSync(join(doctypes, 'rental.yaml'), text)
  const data = join(folder.path, 'data')
  const run = await runHere(['doctype', 'check', doctypes, '--data', data, ...flags])
  assert.is(run.code, 0, run.stderr)
  return run.stdout
}

warnings(
  'says where a debtors account is posted to by what is not declared to be owed',
  async () => {
    const told = await check(rental(''))
    assert.match(
      told,
      /rental\.yaml:16:68: warning: posts to General Ledger Entry with a party, .*declare receivable: or payable:/,
    )
    assert.match(told, 'no mistakes, 1 warning')
    const { ok, warnings: list } = JSON.parse(await check(rental(''), '--json'))
    assert.equal([ok, list.length, list[0].line, list[0].column], [true, 1, 16, 68])
  },
)

warnings('is not given for a document that is owed', async () => {
  const told = await check(
    rental('receivable: {party: customer, amount: total, account: debtors}\n'),
  )
  assert.match(told, /no mistakes$/m)
})

warnings.run()
