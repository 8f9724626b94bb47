import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readDemoCompany } from '../../demo/world/company.ts'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { addDays, addMonths } from '../../engine/expression/run/calendar.ts'
import type { Engine } from '../../engine/index.ts'
import { runReport } from '../../engine/reports/run/run.ts'
import { findPerson } from '../../server/auth/people.ts'
import { demoFolders, rowsOf } from './demo-folders.ts'
import { runHere } from './in-process.ts'
import { svc } from './process.ts'

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

const year = suite('svc demo on an empty folder')
const folders = demoFolders()
let told: Told
let engine: Engine

year.before(async () => {
  const { code, stdout, stderr } = await svc(['demo', '--data', folders.dataOf('year'), '--json'])
  assert.is(code, 0, stderr)
  told = JSON.parse(stdout)
  engine = await folders.open('year')
})

year('sets it up and tells who can sign in, once', async () => {
  assert.match(told.setup?.admin_key ?? '', /^svc_live_\w{36}$/)
  const people = readDemoCompany().accounts
  assert.equal(
    told.accounts.map(({ email }) => email),
    Object.values(people).map(({ email }) => email),
  )
  for (const { password } of told.accounts) assert.is(password.length, 24)
  const again = await runHere(['demo', '--data', folders.dataOf('year')])
  assert.is(again.code, 0, again.stderr)
  assert.is(again.stdout, 'the demo is in this workspace already; nothing was done\n')
})

year('gives its people roles and the tier that was asked for', async () => {
  for (const { email, roles } of Object.values(readDemoCompany().accounts)) {
    const person = await findPerson(engine.services, email)
    assert.equal([...(person?.roles ?? [])].sort(), [...roles].sort(), email)
    assert.is(person?.demoTier, 'business')
  }
})

year('has records of every module', () => {
  const least: Readonly<Record<string, readonly [string, number][]>> = {
    crm: [
      ['leads', 40],
      ['opportunities', 30],
      ['customers', 30],
      ['contacts', 40],
      ['addresses', 30],
      ['appointments', 5],
      ['campaigns', 1],
      ['contracts', 3],
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
      ['dunnings', 2],
      ['subscriptions', 3],
    ],
    purchasing: [
      ['suppliers', 10],
      ['purchase-orders', 25],
      ['purchase-receipts', 25],
      ['material-requests', 2],
      ['supplier-quotations', 2],
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
      ['journal-entries', 20],
      ['currency-exchanges', 20],
      ['budgets', 1],
    ],
    hr: [
      ['employees', 12],
      ['attendance', 200],
      ['leave-applications', 20],
      ['expense-claims', 20],
      ['salary-slips', 100],
      ['payroll-entries', 11],
      ['loans', 1],
      ['job-applicants', 7],
      ['interviews', 3],
      ['shift-assignments', 8],
    ],
    projects: [
      ['projects', 5],
      ['tasks', 20],
      ['timesheets', 50],
    ],
    manufacturing: [
      ['boms', 7],
      ['work-orders', 25],
      ['job-cards', 25],
      ['production-plans', 1],
    ],
    assets: [
      ['assets', 7],
      ['asset-movements', 2],
      ['asset-repairs', 1],
    ],
    support: [
      ['issues', 50],
      ['warranty-claims', 3],
      ['service-level-agreements', 1],
    ],
  }
  for (const [module, resources] of Object.entries(least))
    for (const [slug, count] of resources) {
      const made = told.records[slug] ?? 0
      assert.ok(made >= count, `${module}: expected at least ${count} ${slug}, got ${made}`)
    }
  const sum = Object.values(told.records).reduce((total, count) => total + count, 0)
  assert.is(told.total, sum)
  assert.ok(sum < 3500, `a demo is looked at by people: ${sum} records`)
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
  'Purchase Receipt': ['Completed', 'Return'],
  'Purchase Invoice': ['Paid', 'Unpaid'],
  'Bank Transaction': ['Unreconciled', 'Reconciled'],
  'Work Order': ['Not Started', 'In Process', 'Completed', 'Stopped'],
  'Payroll Entry': ['Paid'],
  'Job Applicant': ['Accepted', 'Rejected'],
  'Quality Inspection': ['Accepted'],
  Timesheet: ['Submitted', 'Billed'],
  'Expense Claim': ['Paid', 'Rejected'],
  'Leave Application': ['Approved'],
  Employee: ['Active', 'Left'],
  Asset: ['Submitted', 'Partially Depreciated', 'Scrapped'],
  Project: ['Open', 'Completed'],
  Task: ['Completed', 'Working'],
  Issue: ['Closed'],
}

year(
  'shows what there is to see: won and lost, paid and overdue, returned and cancelled',
  async () => {
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
  },
)

/** Days that a report looks back at; the sheet of a month takes two months at most. */
const daysOf = (slug: string): number => (slug === 'monthly-attendance-sheet' ? 30 : 150)

year('fills every report', async () => {
  const context = engine.context(SYSTEM_ACTOR, 'business')
  const empty: string[] = []
  for (const report of engine.reports().all) {
    // A statement is asked for one party.
    if (report.params.some(({ field, initial, first }) => field.required && !initial && !first))
      continue
    const isDated = report.params.some(({ field }) => field.name === 'from_date' && !field.hidden)
    const from = addDays(told.to, -daysOf(report.slug))
    const given = new Map(isDated ? [['from_date', from]] : [])
    const { total } = await runReport(context, report, { given, limit: 1, offset: 0 })
    if (total === 0) empty.push(report.slug)
  }
  assert.equal(empty, [])
})

year('lies in the year that ends today, day by day in its order', async () => {
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
})

year('passes svc verify', async () => {
  const { code, stdout } = await svc(['verify', '--data', folders.dataOf('year'), '--json'])
  const { checks, stale, warnings } = JSON.parse(stdout)
  const wrong = [...checks, ...stale, ...warnings].filter(({ differences }) => differences > 0)
  assert.equal([code, wrong], [0, []])
})

year.after(async () => {
  await engine?.close()
  folders.remove()
})
year.run()
