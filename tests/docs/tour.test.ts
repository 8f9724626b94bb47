import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../engine/definition/load.ts'
import { DefinitionErrors } from '../engine/definition/problems.ts'
import { loadChecked } from '../engine/index.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const scripts = (
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
).scripts

/** The fenced blocks of one language, in order. */
function blocks(language: string): string[] {
  return [...readme.matchAll(/```(\w*)\n([\s\S]*?)```/g)]
    .filter(([, found]) => found === language)
    .map(([, , text = '']) => text)
}

interface Workspace {
  readonly folder: string
  readonly url: string
  stop(): Promise<void>
}

/** What `npm start` runs, in an empty folder and on a free port. */
async function start(): Promise<Workspace> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-readme-'))
  const [node = '', entry = '', ...args] = scripts.start!.split(' ')
  assert.is(node, 'node')
  const child = spawn(process.execPath, [join(root, entry), ...args, '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await Promise.race([
    once(child.stdout.setEncoding('utf8'), 'data'),
    once(child, 'exit').then(([code]) => [`ended with code ${code}`]),
  ])) as [string]
  const url = /^svc listening on (http:\/\/\S+)\n$/.exec(line)?.[1]
  assert.ok(url, `unexpected first line: ${line}`)
  return {
    folder,
    url,
    async stop() {
      child.kill('SIGTERM')
      const [code] = (await once(child, 'exit')) as [number]
      rmSync(folder, { recursive: true })
      assert.is(code, 0)
    },
  }
}

const test = suite('README')

test('its two commands are scripts of package.json', () => {
  const commands = blocks('sh').filter((text) => text.startsWith('npm ci'))
  assert.equal(commands, ['npm ci && npm start\n', 'npm ci && npm test\n'])
  assert.ok(scripts.start && scripts.test)
})

test('every command of the tour works, in its order', async () => {
  const workspace = await start()
  try {
    const steps = blocks('sh').filter((text) => !text.startsWith('npm ci'))
    const script = steps
      .map((text) => text.replaceAll('http://127.0.0.1:8000', workspace.url))
      .map((text) =>
        text.replaceAll('npm run -s svc --', `"${process.execPath}" "${join(root, 'cli/svc.js')}"`),
      )
      .map((text) => text.replace(/^export KEY=\$\(node /m, `export KEY=$("${process.execPath}" `))
      .join('\necho; echo ----\n')
    const { stdout } = await run(
      'bash',
      ['-c', `set -e\nORDER=SO-${new Date().getUTCFullYear()}-00001\n${script}`],
      {
        cwd: workspace.folder,
      },
    )
    const answers = stdout.split('----').map((text) => text.trim())
    const [
      ,
      created = '',
      order = '',
      lists = '',
      submitted = '',
      paid = '',
      proof = '',
      told = '',
      colleague = '',
      moved = '',
      scaffold = '',
    ] = answers
    const [customer, item] = created.split(/(?<=\})\s*(?=\{)/).map((text) => JSON.parse(text))
    assert.is(customer.id, 'CUST-00001')
    assert.is(item.id, 'BOLT-10')
    const draft = JSON.parse(order)
    assert.is(draft.status, 'Draft')
    assert.is(draft.items[0].rate, 8.13)
    assert.is(draft.grand_total, 20.33, '2.5 × 8.13 = 20.325, rounded half away from zero')
    const [orders, items] = lists.split(/(?<=\})\s*(?=\{"data")/).map((text) => JSON.parse(text))
    assert.is(orders.meta.total, 1)
    assert.equal(items.data, [
      { id: 'BOLT-10', name: 'BOLT-10', item_name: 'Steel bolt 10 mm', standard_rate: 8.13 },
    ])
    const [locked, refused] = submitted
      .split(/(?<=\})\s*(?=\{"error")/)
      .map((text) => JSON.parse(text))
    assert.is(locked.status, 'Submitted')
    assert.is(refused.error.code, 'CONFLICT')
    const [invoices, entries] = paid.split(/(?<=\})\s*(?=\{"data")/).map((text) => JSON.parse(text))
    assert.equal([invoices.data[0].status, invoices.data[0].outstanding_amount], ['Paid', 0])
    assert.equal(
      entries.data
        .map((row: Record<string, unknown>) => [row.account, row.debit, row.credit])
        .toSorted(),
      [
        ['Bank', 20.33, 0],
        ['Debtors', 0, 20.33],
        ['Debtors', 20.33, 0],
        ['Sales', 0, 20.33],
      ],
    )
    assert.match(proof, /GL Entry: every voucher balances +ok/)
    const [webhook, log] = told.split(/(?<=\})\s*(?=\{"data")/).map((text) => JSON.parse(text))
    assert.match(webhook.secret, /^whsec_/)
    assert.equal(
      log.data.map(({ event }: Record<string, unknown>) => event),
      ['sales-invoices.paid'],
    )
    assert.match(colleague, '{"message":"Logged In"')
    assert.match(colleague, '{"data":[{"name":"SO-')
    assert.match(colleague, '"exc_type":"PermissionError"')
    assert.match(moved, /^2 created\nid,name,customer_name,outstanding_total\r?\n/)
    assert.match(moved, /^CUST-00003,CUST-00003,Bo Lind,0\r?$/m)
    assert.ok(existsSync(join(workspace.folder, 'monday.svc')))
    assert.match(scaffold, 'data/doctypes/assets/fleet-vehicle.yaml')
  } finally {
    await workspace.stop()
  }
})

test('its DocType loads, and a typo in it is reported as the README says', () => {
  const [yaml = ''] = blocks('yaml')
  loadDefinitionTexts([{ path: 'fleet-vehicle.yaml', text: yaml }])
  const [promised = ''] = blocks('').filter((text) => text.includes('did you mean'))
  const folder = mkdtempSync(join(tmpdir(), 'svc-readme-'))
  try {
    const path = join(folder, 'fleet-vehicle.yaml')
    writeFileSync(path, yaml.replace('price * 19', 'prize * 19'))
    assert.throws(
      () => loadChecked([folder]),
      (error: unknown) =>
        error instanceof DefinitionErrors &&
        error.message.includes(promised.trim().replace('fleet-vehicle.yaml', path)),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.run()
