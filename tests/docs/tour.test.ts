import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../../engine/definition/load/load.ts'
import { DefinitionErrors } from '../../engine/definition/yaml/problems.ts'
import { loadChecked } from '../../engine/index.ts'
import { hooks } from '../../hooks/index.ts'
import { type Folder, served, temporaryFolder, withoutSettings } from '../cli/process.ts'
import { jsonIn, shellIn } from '../examples/example.ts'
import { blocksOf, packageScripts, pageText, ROOT } from './page.ts'

const test = suite('README and the tour')
let folder: Folder

test.before(() => {
  folder = temporaryFolder()
})
test.after(() => folder.remove())

test('README is read in five minutes: at most 150 lines', () => {
  const lines = pageText('README.md').trimEnd().split('\n').length
  assert.ok(lines <= 150, `${lines} lines`)
})

test('its first command is scripts of package.json', () => {
  const [first] = blocksOf('README.md', 'sh')
  assert.is(first, 'npm ci && npm start\n')
  const { start, test: tests } = packageScripts()
  assert.ok(start && tests)
})

test('every command works, one after the other, and leaves nothing in the checkout', async () => {
  const checkout = join(folder.path, 'checkout')
  mkdirSync(checkout)
  const server = await startIn(checkout)
  try {
    const [, ...readme] = blocksOf('README.md', 'sh')
    const blocks = [...readme, ...blocksOf('docs/tour.md', 'sh')]
    const shell = shellIn(checkout, folder.path)
    checkAnswers(await shell(blocks.map((text) => text.replaceAll('/tmp/', `${folder.path}/`))))
    // `data` is ignored by git; whatever else lay here would be an untracked file in somebody's checkout.
    assert.equal(readdirSync(checkout), ['data'])
    assert.ok(existsSync(join(folder.path, 'svc-tour-monday.svc')))
  } finally {
    assert.is((await server.end()).code, 0)
  }
})

/** What `npm start` runs, on a free port: README's commands find the address themselves. */
function startIn(checkout: string): ReturnType<typeof served> {
  const [node = '', entry = '', ...args] = packageScripts().start!.split(' ')
  assert.is(node, 'node')
  const child = spawn(process.execPath, [join(ROOT, entry), ...args, '--port', '0'], {
    cwd: checkout,
    env: withoutSettings(process.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return served(child)
}

type Row = Record<string, unknown>
const rowsOf = (answer: Row | undefined): Row[] => answer?.data as Row[]

function checkAnswers(answers: readonly string[]): void {
  const [, created = '', order = '', lists = '', , submitted = '', subscribed = ''] = answers
  const [paid = '', books = '', colleague = '', moved = '', scaffold = ''] = answers.slice(7)
  const [customer, item] = jsonIn(created)
  assert.equal([customer?.id, item?.id], ['CUST-00001', 'BOLT-10'])

  const [draft] = jsonIn(order) as [{ status: string; items: Row[]; grand_total: number }]
  assert.equal([draft.status, draft.items[0]?.rate], ['Draft', 8.13])
  assert.is(draft.grand_total, 20.33, '2.5 × 8.13 = 20.325, rounded half away from zero')

  const [, items] = jsonIn(lists)
  assert.match(lists, '"total":1,')
  assert.equal(items?.data, [{ item_name: 'Steel bolt 10 mm', standard_rate: 8.13 }])
  const [locked, refused] = jsonIn(submitted)
  assert.is(locked?.status, 'Submitted')
  assert.match(JSON.stringify(refused), '"code":"CONFLICT"')
  assert.match(String(jsonIn(subscribed)[0]?.secret), /^whsec_/)

  const [invoices, entries, log] = jsonIn(paid)
  const [invoice] = rowsOf(invoices)
  assert.equal([invoice?.status, invoice?.outstanding_amount], ['Paid', 0])
  assert.equal(
    rowsOf(entries)
      .map(({ account, debit, credit }) => [account, debit, credit])
      .toSorted(),
    [
      ['Bank', 20.33, 0],
      ['Debtors', 0, 20.33],
      ['Debtors', 20.33, 0],
      ['Sales', 0, 20.33],
    ],
  )
  assert.equal(
    rowsOf(log).map(({ event }) => event),
    ['sales-invoices.paid'],
  )
  assert.match(books, '"Debtors"')
  assert.match(colleague, '{"message":"Logged In"')
  assert.match(colleague, '{"data":[{"name":"SO-')
  assert.match(colleague, '"exc_type":"PermissionError"')
  assert.match(moved, /^2 created\nid,name,customer_name,outstanding_total\r?\n/)
  assert.match(moved, /^CUST-00003,CUST-00003,Bo Lind,0\r?$/m)
  assert.match(scaffold, 'data/doctypes/assets/fleet-vehicle.yaml')
}

test('its DocType loads, and a typo in it is reported as README says', () => {
  const [yaml = ''] = blocksOf('README.md', 'yaml')
  loadDefinitionTexts([{ path: 'fleet-vehicle.yaml', text: yaml }])
  const [promised = ''] = blocksOf('README.md', '').filter((text) => text.includes('did you mean'))
  const doctypes = join(folder.path, 'doctypes')
  mkdirSync(doctypes)
  const path = join(doctypes, 'fleet-vehicle.yaml')
  writeFileSync(path, yaml.replace('price * 19', 'prize * 19'))
  assert.throws(
    () => loadChecked({ doctypes: [doctypes], hooks }),
    (error: unknown) =>
      error instanceof DefinitionErrors &&
      error.message.includes(promised.trim().replace('fleet-vehicle.yaml', path)),
  )
})

test.run()
