import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import request from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DefinitionErrors } from '../../../engine/definition/yaml/problems.ts'
import { loadWorkspaces } from '../../../engine/reports/workspaces/load-workspaces.ts'
import type { Workspace } from '../../../engine/reports/workspaces/workspace.ts'
import { temporaryRoot } from '../../helpers/temporary.ts'
import { addPerson, cookieOf } from '../auth/people.ts'
import { bearer, openTestApp, TEST_DOCTYPES, type TestApp } from '../test-app.ts'

const test = suite('workspaces')

const BENCH = `
label: Bench
icon: hammer
roles: [Stock User]
cards:
  - {label: Dear ones, resource: gadgets, filter: 'price__gt=10&title__ne=To Go', sum: price, waits: true}
  - {label: Profit, report: profit-and-loss-statement, value: profit}
shortcuts: [gadgets, {report: stock-balance}]
charts: [{label: By month, resource: gadgets, by: 'created:month', sum: price}]
steps: [gadgets, {label: A dear one, resource: gadgets, filter: price__gt=10, on: gadgets}]
`

/** Its prices are for those who sell. */
const CRATE = `
doctype: Crate
module: projects
tier: free
fields:
  title: {type: data, required: true}
  price: {type: currency}
permissions:
  roles: {Stock User: [read], Projects User: [read]}
  fields: {price: {read: [Projects User]}}
`

const WITH_PRICES = `
label: Make
roles: [Projects User, Stock User]
modules: [manufacturing, projects]
cards: [{label: Crates, resource: crates, sum: price}, {label: Dear, resource: crates, filter: price__gt=5}]
shortcuts: [crates]
charts: [{resource: crates, by: price}]
`

let app: TestApp
test.before(async () => {
  const more = { crate: CRATE, 'workspaces/bench': BENCH, 'workspaces/make': WITH_PRICES }
  app = await openTestApp({ doctypes: { ...TEST_DOCTYPES, ...more } })
})
test.after(() => app.close())

const asAdmin = (path: string) =>
  request(app.app).get(path).set('Authorization', bearer(app.keys.admin))

/** The workspaces of a person with these roles. */
async function seenBy(login: string, roles: readonly string[]): Promise<readonly Workspace[]> {
  const { cookie } = await cookieOf(app.engine, await addPerson(app.engine, login, roles))
  return (await request(app.app).get('/v1/boot').set('Cookie', cookie)).body.workspaces
}

test('are those of files, with what they say and filters as an address has them', async () => {
  const { workspaces } = (await asAdmin('/v1/boot')).body as { workspaces: readonly Workspace[] }
  const filter = `price__gt=10&title__ne=${encodeURIComponent('To Go')}`
  assert.equal(
    workspaces.find(({ name }) => name === 'bench'),
    {
      ...{ name: 'bench', label: 'Bench', icon: 'hammer', modules: [], used: false },
      cards: [
        { label: 'Dear ones', resource: 'gadgets', filter, sum: 'price', waits: true },
        { label: 'Profit', report: 'profit-and-loss-statement', value: 'profit' },
      ],
      shortcuts: [
        { label: 'Gadgets', resource: 'gadgets' },
        { label: 'Stock Balance', report: 'stock-balance' },
      ],
      charts: [{ label: 'By month', resource: 'gadgets', by: 'created:month', sum: 'price' }],
      steps: [
        { label: 'Gadgets', resource: 'gadgets' },
        { label: 'A dear one', resource: 'gadgets', filter: 'price__gt=10', on: 'gadgets' },
      ],
      pages: [],
    },
  )
})

test('know whether there is a record yet that one of their numbers is about', async () => {
  const bench = async (): Promise<{ used?: boolean } | undefined> =>
    ((await asAdmin('/v1/boot')).body.workspaces as { name: string; used?: boolean }[]).find(
      ({ name }) => name === 'bench',
    )
  assert.is((await bench())?.used, false)
  const made = await request(app.app)
    .post('/v1/gadgets')
    .set('Authorization', bearer(app.keys.admin))
    .send({ code: 'G-1', title: 'Bell' })
  assert.is(made.status, 201)
  assert.is((await bench())?.used, true)
})

test('hold every module once: each record and report belongs to one', () => {
  const { registry } = app.engine.services
  const workspaces = app.engine.workspaces()
  const taken = workspaces.flatMap(({ modules }) => modules)
  assert.is(new Set(taken).size, taken.length)
  assert.equal(
    [...registry.vocabulary.modules.keys()].filter((module) => !taken.includes(module)),
    [],
  )
  const shipped = workspaces.filter(({ name }) => name !== 'bench')
  assert.equal(shipped.map(({ name }) => name).sort(), [
    'buy',
    'home',
    'make',
    'money',
    'people',
    'sell',
    'stock',
    'support',
  ])
})

test('each number, way and chart of theirs answers what it asks', async () => {
  for (const { name, cards, shortcuts, charts, steps } of app.engine.workspaces()) {
    const paths = [
      ...cards.map(({ resource, filter, sum, report, value }) =>
        report === undefined
          ? `${resource}?${filter}&${sum === undefined ? 'limit=1' : `_sum=${sum}`}`
          : `reports/${report}?${value ? 'limit=1' : ''}`,
      ),
      ...shortcuts.map(({ resource, report, filter = '' }) =>
        report === undefined ? `${resource}?limit=1&${filter}` : `reports/${report}?limit=1`,
      ),
      ...steps.map(({ resource, filter = '' }) => `${resource}?limit=1&${filter}`),
      ...charts.map(({ resource, by, sum, filter = '', report }) =>
        report === undefined
          ? `${resource}?_count_by=${by}&${sum === undefined ? '' : `_sum=${sum}&`}${filter}`
          : `reports/${report}?limit=1`,
      ),
    ]
    for (const path of paths) {
      const { status, text } = await asAdmin(`/v1/${path}`)
      // A report may want a year, a company or a higher tier first: what it says then is no mistake of the workspace.
      const expected = path.startsWith('reports/') ? [200, 403, 422] : [200, 403]
      assert.ok(expected.includes(status), `${name}: ${path}: ${text.slice(0, 300)}`)
    }
  }
})

test('are those of a person’s roles, and hold what they may read', async () => {
  const names = async (login: string, roles: readonly string[]) =>
    (await seenBy(login, roles)).map(({ name }) => name).sort()
  assert.equal(await names('sam', ['Sales User']), ['home', 'sell'])
  assert.equal(await names('stu', ['Stock User']), ['bench', 'home', 'make', 'stock'])
  const ada = await names('ada', ['Accounts User', 'Employee'])
  assert.equal(ada, ['home', 'money', 'people'])
  const [people] = (await seenBy('emp', ['Employee'])).filter(({ name }) => name === 'people')
  assert.not.ok(people?.shortcuts.some(({ resource }) => resource === 'payroll-entries'))
  // Whose role no workspace names sees each in which they may read something.
  const own = await names('cus', ['Supplier Portal'])
  assert.ok(own.includes('home'), own.join())
})

test('count and add up no field that the caller may not read', async () => {
  const of = async (login: string, roles: readonly string[]) =>
    (await seenBy(login, roles)).find(({ name }) => name === 'make')
  const seller = await of('pro', ['Projects User'])
  assert.equal([seller?.cards.length, seller?.charts.length], [2, 1])
  const other = await of('sto', ['Stock User'])
  assert.equal([other?.cards.length, other?.charts.length, other?.shortcuts.length], [0, 0, 1])
})

test('have pages whose parts are the resources and fields of their file, for who may read all of them', async () => {
  const pagesOf = (all: readonly Workspace[]) =>
    all.flatMap(({ pages }) => pages).filter(({ page }) => page === 'pos')
  const [till] = pagesOf((await asAdmin('/v1/boot')).body.workspaces)
  assert.is(till?.label, 'Point of sale')
  assert.equal(till?.parts.cash, {
    ...{ resource: 'modes-of-payment', fields: {}, filter: 'type=Cash' },
  })
  assert.is(till?.parts.sales?.resource, 'sales-invoices')
  assert.equal(till?.parts.sales?.set, { update_stock: true })
  assert.is(till?.parts.sales?.fields['rows.qty'], 'qty')
  assert.is(till?.parts.sales?.fields['rows.item'], 'item_code')
  assert.equal(pagesOf(await seenBy('hrm', ['HR User'])), [])
  // A till is for who may make invoices.
  assert.equal(pagesOf(await seenBy('sel', ['Stock User'])), [])
  assert.is(pagesOf(await seenBy('shop', ['Accounts User'])).length, 1)
})

test('tell mistakes of pages with their place', () => {
  const folder = mkdtempSync(join(temporaryRoot(), 'svc-workspaces-'))
  mkdirSync(join(folder, 'workspaces'))
  const text = [
    'pages:',
    '  - {page: poss}',
    '  - page: pos',
    '    parts:',
    '      tils: {resource: gadgets}',
    '      cash: {resource: gadget}',
    '      items: {resource: gadgets, fields: {price: prise, group: title, codes: title}, set: {colour: red}}',
  ]
  writeFileSync(join(folder, 'workspaces/bench.yaml'), `${text.join('\n')}\n`)
  try {
    loadWorkspaces([folder], app.engine.services.registry, app.engine.reports())
    assert.unreachable()
  } catch (error) {
    assert.instance(error, DefinitionErrors)
    assert.equal(
      (error as DefinitionErrors).problems
        .map(({ line, column, message }) => `${line}:${column} ${message.slice(0, 52)}`)
        .sort(),
      [
        '2:12 there is no page "poss" (did you mean pos?); expecte',
        '5:7 expected closings, a part of the page pos',
        '5:7 expected openings, a part of the page pos',
        '5:7 expected sales, a part of the page pos',
        '5:7 expected tills, a part of the page pos',
        '5:7 unknown key; expected one of tills, openings, closin',
        '6:24 there is no resource "gadget" (did you mean gadgets?',
        '7:100 Gadget has no field "colour"',
        '7:42 Gadget has no field "title.code" (did you mean title',
        '7:50 Gadget has no field "prise" (did you mean price?)',
      ],
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('tell every mistake with its place', () => {
  const folder = mkdtempSync(join(temporaryRoot(), 'svc-workspaces-'))
  mkdirSync(join(folder, 'workspaces'))
  const text = [
    'labl: X',
    'modules: [crn, sales]',
    'cards:',
    '  - {resource: gadget, sum: x}',
    '  - {resource: gadgets, sum: nothing, waits: maybe}',
    '  - {resource: gadgets, filter: pric__gt=1&price__gt=x}',
    '  - {report: profit-and-loss-statement, value: profits}',
    'shortcuts: [{report: stock-balanc}]',
    'charts: [stock-projected-qty, {resource: gadgets, by: "title:month"}]',
    'steps: [{resource: gadgets, on: gadget, filter: pric=1}]',
  ]
  writeFileSync(join(folder, 'workspaces/bench.yaml'), `${text.join('\n')}\n`)
  writeFileSync(join(folder, 'workspaces/other.yaml'), 'modules: [sales]\n')
  try {
    loadWorkspaces([folder], app.engine.services.registry, app.engine.reports())
    assert.unreachable()
  } catch (error) {
    assert.instance(error, DefinitionErrors)
    assert.equal(
      (error as DefinitionErrors).problems.map(
        ({ line, column, message }) => `${line}:${column} ${message.slice(0, 60)}`,
      ),
      [
        '1:1 unknown key; expected one of label, icon, modules, roles, ca',
        '2:11 there is no module "crn" (did you mean crm?); expected one o',
        '4:16 there is no resource "gadget" (did you mean gadgets?)',
        '5:30 no field "nothing" for this; expected one of price, stock',
        '5:46 expected true or false',
        '6:33 pric__gt: Gadget has no field "pric" (did you mean price?)',
        '6:33 price__gt: expected a number, got "x"',
        '7:48 expected a number of the summary of Profit and Loss Statemen',
        '8:22 there is no report "stock-balanc" (did you mean stock-balanc',
        '9:10 the report Stock Projected Qty has no chart',
        '9:55 expected title without a part: it is no date, got "title:mon',
        '10:33 there is no resource "gadget" (did you mean gadgets?)',
        '10:49 pric: Gadget has no field "pric" (did you mean price?)',
        '1:11 sales belongs to the workspace bench already',
      ],
    )
  }
  rmSync(folder, { recursive: true })
})

test.run()
