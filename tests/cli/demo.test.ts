import { hash } from 'node:crypto'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readDemoCompany } from '../../cli/demo/company.ts'
import { diceOf } from '../../cli/demo/dice.ts'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { createDocument } from '../../engine/documents/create.ts'
import { addDays, addMonths } from '../../engine/expression/calendar.ts'
import { type DatabaseOptions, type Engine, openEngine } from '../../engine/index.ts'
import { findPerson } from '../../server/auth/people.ts'
import { createTestDatabase } from '../helpers/databases.ts'
import { type Folder, readFirstRun, serve, svc, temporaryFolder } from './process.ts'

const DOCTYPES = join(import.meta.dirname, '../../doctypes')
const SECRET_KEY = Buffer.alloc(32, 7)

/** What `--json` prints. */
interface Told {
  readonly seed: number
  readonly company: string
  readonly from: string
  readonly to: string
  readonly records: Readonly<Record<string, number>>
  readonly total: number
  readonly accounts: readonly { readonly email: string; readonly password: string }[]
  readonly setup: { readonly password: string; readonly admin_key: string } | null
}

let folder: Folder
const dataOf = (name: string): string => join(folder.path, name)

async function inWorkspace<T>(
  database: DatabaseOptions,
  job: (engine: Engine) => Promise<T>,
): Promise<T> {
  const engine = await openEngine({ database, doctypes: [DOCTYPES], secretKey: SECRET_KEY })
  try {
    return await job(engine)
  } finally {
    await engine.close()
  }
}

function sqliteOf(name: string): DatabaseOptions {
  return { kind: 'sqlite', file: join(dataOf(name), 'workspace.db') }
}

/** Columns of all records of a resource. */
async function rowsOf(
  { services }: Engine,
  doctype: string,
): Promise<readonly Record<string, unknown>[]> {
  const { table } = services.registry.byDoctype(doctype)!
  return services.database.read.selectFrom(table).selectAll().orderBy('rid').execute()
}

const year = suite('svc demo on an empty folder')
let told: Told

year.before(async () => {
  folder = temporaryFolder()
  const { code, stdout, stderr } = await svc(['demo', '--data', dataOf('year'), '--json'])
  assert.is(code, 0, stderr)
  told = JSON.parse(stdout)
})

year('sets it up and tells who can sign in, once', async () => {
  assert.match(told.setup?.admin_key ?? '', /^svc_live_\w{36}$/)
  const people = readDemoCompany().accounts
  assert.equal(
    told.accounts.map(({ email }) => email),
    Object.values(people).map(({ email }) => email),
  )
  for (const { password } of told.accounts) assert.is(password.length, 24)
  const again = await svc(['demo', '--data', dataOf('year')])
  assert.is(again.code, 0, again.stderr)
  assert.is(again.stdout, 'the demo is in this workspace already; nothing was done\n')
})

year('gives its people roles and the tier that was asked for', () =>
  inWorkspace(sqliteOf('year'), async (engine) => {
    for (const { email, roles } of Object.values(readDemoCompany().accounts)) {
      const person = await findPerson(engine.services, email)
      assert.equal([...(person?.roles ?? [])].sort(), [...roles].sort(), email)
      assert.is(person?.demoTier, 'business')
    }
  }),
)

year('has records of every module', () => {
  const least: Readonly<Record<string, readonly [string, number][]>> = {
    crm: [
      ['leads', 40],
      ['opportunities', 30],
      ['customers', 30],
      ['contacts', 40],
      ['addresses', 30],
    ],
    sales: [
      ['quotations', 20],
      ['sales-orders', 60],
      ['delivery-notes', 60],
    ],
    billing: [
      ['sales-invoices', 60],
      ['purchase-invoices', 50],
      ['payment-entries', 100],
    ],
    purchasing: [
      ['suppliers', 10],
      ['purchase-orders', 25],
      ['purchase-receipts', 25],
    ],
    stock: [
      ['items', 40],
      ['stock-entries', 60],
      ['stock-reconciliations', 4],
    ],
    banking: [
      ['bank-accounts', 2],
      ['bank-transactions', 100],
    ],
    accounts: [
      ['journal-entries', 30],
      ['currency-exchanges', 20],
    ],
    hr: [
      ['employees', 12],
      ['attendance', 40],
      ['leave-applications', 20],
      ['expense-claims', 20],
    ],
    projects: [
      ['projects', 5],
      ['tasks', 20],
      ['timesheets', 20],
    ],
    manufacturing: [
      ['boms', 7],
      ['work-orders', 25],
    ],
    assets: [['assets', 7]],
    support: [['issues', 30]],
  }
  for (const [module, resources] of Object.entries(least))
    for (const [slug, count] of resources) {
      const made = told.records[slug] ?? 0
      assert.ok(made >= count, `${module}: expected at least ${count} ${slug}, got ${made}`)
    }
  const sum = Object.values(told.records).reduce((total, count) => total + count, 0)
  assert.is(told.total, sum)
  assert.ok(sum < 2500, `a demo is looked at by people: ${sum} records`)
})

/** Statuses that a person who looks around should find, by DocType. */
const STATUSES: Readonly<Record<string, readonly string[]>> = {
  Lead: [
    'Open',
    'Contacted',
    'Replied',
    'Interested',
    'Qualified',
    'Converted',
    'Lost',
    'Do Not Contact',
  ],
  Opportunity: ['Replied', 'Quotation', 'Won', 'Lost', 'Closed'],
  Quotation: ['Draft', 'Ordered', 'Lost', 'Expired'],
  'Sales Order': ['Draft', 'On Hold', 'To Deliver', 'Completed', 'Closed', 'Cancelled'],
  'Delivery Note': ['Completed', 'Return'],
  'Sales Invoice': ['Paid', 'Unpaid', 'Overdue', 'Return', 'Credit Note Issued', 'Cancelled'],
  'Purchase Order': ['Draft', 'Completed'],
  'Purchase Invoice': ['Paid', 'Unpaid'],
  'Bank Transaction': ['Unreconciled', 'Reconciled'],
  'Work Order': ['Completed', 'Stopped'],
  'Expense Claim': ['Paid', 'Rejected'],
  'Leave Application': ['Approved'],
  Employee: ['Active', 'Left'],
  Asset: ['Submitted', 'Scrapped'],
  Project: ['Open', 'Completed'],
  Task: ['Completed', 'Working'],
  Issue: ['Closed'],
}

year('shows what there is to see: won and lost, paid and overdue, returned and cancelled', () =>
  inWorkspace(sqliteOf('year'), async (engine) => {
    for (const [doctype, wanted] of Object.entries(STATUSES)) {
      const found = new Set((await rowsOf(engine, doctype)).map(({ status }) => status))
      for (const status of wanted) {
        const all = [...found].join(', ')
        assert.ok(found.has(status), `${doctype}: expected one that is ${status}, got ${all}`)
      }
    }
    const currencies = new Set(
      (await rowsOf(engine, 'Sales Invoice')).map(({ currency }) => currency),
    )
    assert.ok(currencies.has('EUR') && currencies.has('CHF'), [...currencies].join(', '))
  }),
)

year('lies in the year that ends today, day by day in its order', () =>
  inWorkspace(sqliteOf('year'), async (engine) => {
    assert.ok(told.from >= addMonths(told.to, -12) && told.from <= addDays(told.to, -360))
    const invoices = await rowsOf(engine, 'Sales Invoice')
    const months = new Set<string>()
    for (const { name, created, posting_date: day } of invoices) {
      assert.is(day, String(created).slice(0, 10), `${name} was written on the day it bears`)
      months.add(String(day).slice(0, 7))
    }
    assert.ok(months.size >= 12, [...months].join(', '))
    const newest = invoices
      .map(({ created }) => String(created).slice(0, 10))
      .sort()
      .at(-1)!
    assert.ok(newest >= addDays(told.to, -10), newest)
    // Only the tick at the end, which brings statuses to today, may share the last moment.
    const events = await engine.services.database.read
      .selectFrom('svc_events')
      .select('at')
      .orderBy('seq')
      .execute()
    const moments = events.map(({ at }) => String(at))
    assert.equal(moments, moments.toSorted())
    assert.ok(moments.at(-1)! <= new Date().toISOString(), 'nothing lies in the future')
  }),
)

year('passes svc verify', async () => {
  const { code, stdout } = await svc(['verify', '--data', dataOf('year'), '--json'])
  const { checks, stale, warnings } = JSON.parse(stdout)
  const wrong = [...checks, ...stale, ...warnings].filter(({ differences }) => differences > 0)
  assert.equal([code, wrong], [0, []])
})

year.run()

const repeated = suite('svc demo with a seed')

/** Row ids and UUIDs are made by chance; moments depend on the time of day. */
const RANDOM = /^([0-9a-f]{20}|[0-9a-f]{8}-[0-9a-f-]{27})$/

/** A digest of what the records of each resource say; those of the workspace itself left out. */
function contentOf(name: string): Promise<Record<string, string>> {
  return inWorkspace(sqliteOf(name), async (engine) => {
    const digests: Record<string, string> = {}
    for (const { doctype, slug, module, fields } of engine.services.registry.all) {
      if (module === 'setup') continue
      const said = fields.filter(({ type, child }) => !child && type !== 'datetime')
      const rows = (await rowsOf(engine, doctype)).map((row) =>
        [row.name, row.owner, row.docstatus, ...said.map((field) => row[field.name])]
          .map((value) => (RANDOM.test(String(value)) ? '' : String(value)))
          .join('\t'),
      )
      digests[slug] = `${rows.length} ${hash('sha256', rows.toSorted().join('\n'))}`
    }
    return digests
  })
}

const SHORT = ['--months', '1', '--seed', '5'] as const

repeated('tells the same story again, and no webhook of it', async () => {
  const first = await svc(['demo', '--data', dataOf('first'), ...SHORT])
  assert.is(first.code, 0, first.stderr)
  assert.match(first.stdout, /^RESOURCE {2,}RECORDS\n/)
  assert.match(first.stdout, /^owner@demo\.example {2,}\w{24} {2,}Johanna Thaler: System Manager$/m)
  assert.match(first.stderr, /^day \d+ of \d+$/m)

  // The second one is told to a workspace that a server has set up, and that somebody listens to.
  const served = await serve(dataOf('second'))
  const { admin_key } = readFirstRun(dataOf('second'))
  const answer = await fetch(`${served.url}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      url: 'https://receiver.example/',
      events: ['sales-invoices.submitted'],
    }),
  })
  assert.is(answer.status, 201, await answer.text())
  await served.end()
  const second = await svc(['demo', '--data', dataOf('second'), ...SHORT, '--json'])
  assert.is(second.code, 0, second.stderr)
  assert.is(JSON.parse(second.stdout).setup, null)

  assert.equal(await contentOf('second'), await contentOf('first'))
  await inWorkspace(sqliteOf('second'), async (engine) => {
    const { read } = engine.services.database
    assert.equal(await read.selectFrom('svc_deliveries').selectAll().execute(), [])
    const companies = await rowsOf(engine, 'Company')
    assert.equal(
      companies.map(({ name, is_default }) => [name, Boolean(is_default)]),
      [
        ['Test Company', false],
        ['Bergwind Cycles GmbH', true],
      ],
    )
    assert.is(await engine.tier(), 'free')
  })
})

repeated('rolls the same dice for the same seed alone', () => {
  const rolls = (seed: string, fork: string): number[] => {
    const dice = diceOf(seed).fork(fork)
    return Array.from({ length: 20 }, () => dice.between(1, 6))
  }
  assert.equal(rolls('1', 'a'), rolls('1', 'a'))
  assert.not.equal(rolls('1', 'a'), rolls('2', 'a'))
  assert.not.equal(rolls('1', 'a'), rolls('1', 'b'))
  assert.equal(
    [...new Set(rolls('1', 'a'))].filter((side) => side < 1 || side > 6),
    [],
  )
})

repeated('refuses wrong flags before it touches anything', async () => {
  for (const [flags, problem] of [
    [['--tier', 'gold'], /--tier: expected one of free, pro, business, got "gold"/],
    [['--months', '13'], /expected a whole number from 1 to 12/],
    [['--seed', 'x'], /expected a whole number from 0/],
  ] as const) {
    const { code, stderr } = await svc(['demo', '--data', dataOf('wrong'), ...flags])
    assert.is(code, 2, stderr)
    assert.match(stderr, problem)
  }
  const { code } = await svc(['demo', '--data', dataOf('first'), '--tier', 'gold'])
  assert.is(code, 0, 'where the demo is already nothing is asked for')
})

repeated.run()

const used = suite('svc demo on PostgreSQL, in a workspace that is in use')

used('refuses and says why; --force puts a second company beside the first', async () => {
  const created = await createTestDatabase('postgres')
  try {
    const { database } = created
    assert.ok(database.kind === 'postgres')
    const env = { SVC_SECRET_KEY: SECRET_KEY.toString('base64') }
    const where = ['--data', dataOf('used'), '--database', database.url]
    const setup = await svc(['setup', ...where, '--company', 'Acme'], env)
    assert.is(setup.code, 0, setup.stderr)
    await inWorkspace(database, (engine) =>
      createDocument(
        engine.context(SYSTEM_ACTOR, 'business'),
        engine.services.registry.byDoctype('Customer')!,
        { customer_name: 'Ann' },
      ),
    )
    const refused = await svc(['demo', ...where, ...SHORT], env)
    assert.is(refused.code, 1)
    assert.match(
      refused.stderr,
      /^svc: this workspace has records of its own \(1 customers\); --force adds a second company .*\n$/,
    )
    const forced = await svc(['demo', ...where, ...SHORT, '--force', '--json'], env)
    assert.is(forced.code, 0, forced.stderr)
    const verified = await svc(['verify', ...where], env)
    assert.is(verified.code, 0, verified.stdout)
    await inWorkspace(database, async (engine) => {
      const companies = await rowsOf(engine, 'Company')
      assert.equal(
        companies.map(({ name, is_default }) => [name, Boolean(is_default)]),
        [
          ['Acme', true],
          ['Bergwind Cycles GmbH', false],
        ],
      )
      const companiesOf = new Set((await rowsOf(engine, 'GL Entry')).map(({ company }) => company))
      assert.equal([...companiesOf], ['Bergwind Cycles GmbH'])
    })
  } finally {
    await created.remove()
  }
})

used.after(() => folder.remove())
used.run()
