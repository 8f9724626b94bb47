import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ENTRY, serve, temporaryFolder } from './cli/process.ts'

const run = promisify(execFile)
const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
const [page = ''] = /^## From nothing to a paid invoice.*?(?=^## )/ms.exec(readme) ?? []
const test = suite('the first invoice of README.md')
const folder = temporaryFolder()

test.after(() => folder.remove())

test('goes from an empty folder over paper to payment in under ten requests', async () => {
  const [setup = '', ...steps] = [...page.matchAll(/```bash\n([\s\S]*?)```/g)].map(
    ([, text = '']) => text,
  )
  const shell = async (script: string): Promise<string> => {
    const svc = `svc() { "${process.execPath}" "${ENTRY}" "$@"; }; node() { "${process.execPath}" "$@"; }`
    const { stdout } = await run('bash', ['-c', `set -eo pipefail\n${svc}\n${script}`], {
      cwd: folder.path,
    })
    return stdout
  }
  const key = (await shell(`${setup.replace('svc serve &\n', '')}\necho $KEY`)).trim()
  const server = await serve(join(folder.path, 'data'))
  try {
    const script = steps.join('\n').replaceAll('http://127.0.0.1:8000', server.url)
    const requests = script.match(/^(?!send\(\)).*\b(send|curl) /gm) ?? []
    assert.is(requests.length, 9)
    const [item, submitted, payment, paid, ledger = ''] = (
      await shell(`KEY=${key}\n${script}`)
    ).split('\n')
    assert.equal([item, submitted, payment, paid], ['HOUR', 'Unpaid', 'Submitted', 'Paid'])
    const paper = readFileSync(join(folder.path, 'invoice.html'), 'utf8')
    for (const words of ['Acme GmbH', 'Ann &amp; Co', '357,00']) assert.match(paper, words)
    // 3 × 100 and 19 % of it are 357.
    const rows = (JSON.parse(ledger) as { data: Record<string, unknown>[] }).data
    assert.equal(rows.map(({ account, debit, credit }) => [account, debit, credit]).toSorted(), [
      ['Bank', 357, 0],
      ['Erlöse 19 % USt', 0, 300],
      ['Forderungen aus Lieferungen und Leistungen', 0, 357],
      ['Forderungen aus Lieferungen und Leistungen', 357, 0],
      ['Umsatzsteuer 19 %', 0, 57],
    ])
  } finally {
    await server.end()
  }
})

test.run()
