import request from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ReportResult } from '../../../engine/reports/run/result.ts'
import { reportCsv } from '../../../server/reports/report-csv.ts'
import { bearer, openTestApp, type TestApp } from '../test-app.ts'

const csv = suite('lists and reports as CSV')
let test: TestApp

csv.before(async () => {
  test = await openTestApp()
  for (const body of [
    { code: 'B-1', title: '=1+1', price: 12.5, kind: 'Tool' },
    { code: 'B-2', title: 'Zoë; "big"', price: 3, kind: 'Toy', parent_gadget: 'B-1' },
  ]) {
    const made = await ask('/v1/gadgets', 'post').send(body)
    assert.is(made.status, 201, made.text)
  }
})
csv.after(() => test.close())

function ask(path: string, method: 'get' | 'post' = 'get', accept?: string) {
  const asked = request(test.app)[method](path).set('Authorization', bearer(test.keys.admin))
  return accept === undefined ? asked : asked.set('Accept', accept)
}

const asCsv = (path: string) => ask(path, 'get', 'text/csv')

csv('has all that match in their order, names of fields above, and no formula in it', async () => {
  const answer = await asCsv(
    '/v1/gadgets?sort=code&order=asc&fields=code,title,price,parent_gadget',
  )
  assert.is(answer.status, 200, answer.text)
  assert.match(String(answer.headers['content-type']), 'text/csv; charset=utf-8')
  assert.match(String(answer.headers['content-disposition']), 'gadgets.csv')
  assert.is(
    answer.text,
    `code,title,price,parent_gadget\r\nB-1,'=1+1,12.5,\r\nB-2,"Zoë; ""big""",3,B-1\r\n`,
  )
  const filtered = await asCsv('/v1/gadgets?kind=Toy&fields=code')
  assert.is(filtered.text, 'code\r\nB-2\r\n')
  const [head] = (await asCsv('/v1/gadgets')).text.split('\r\n')
  const [record] = (await ask('/v1/gadgets?limit=1')).body.data
  assert.equal(head!.split(',').sort(), Object.keys(record).sort())
})

csv('has more than a page, whatever its order', async () => {
  const codes = Array.from({ length: 230 }, (_, n) => `M-${String(n).padStart(3, '0')}`)
  for (const code of codes)
    assert.is(
      (await ask('/v1/gadgets', 'post').send({ code, title: 'Many', kind: 'Tool' })).status,
      201,
    )
  const { text } = await asCsv('/v1/gadgets?title=Many&fields=code&sort=-title,code')
  assert.equal(text.trim().split('\r\n'), ['code', ...codes])
})

csv('has labels and the mark of Excel where they are asked for, and only then', async () => {
  const { text } = await asCsv('/v1/gadgets?fields=code,made_on&labels=1&bom=1&kind=Toy')
  assert.is(text, '\uFEFFCode,Made On\r\nB-2,\r\n')
  for (const [path, field] of [
    ['/v1/gadgets?labels=1', 'labels'],
    ['/v1/reports/trial-balance?totals=0', 'totals'],
  ] as const) {
    const refused = await ask(path)
    assert.is(refused.status, 422)
    assert.is(refused.body.error.details[0].field, field)
  }
  for (const wrong of ['labels=yes', 'bom=2', 'limit=5', 'offset=0', 'cursor=', 'totals=0'])
    assert.is((await asCsv(`/v1/gadgets?${wrong}`)).status, 422, wrong)
})

csv('is for who may export, and is told to the log', async () => {
  const { key } = await test.newKey({ scope: 'read' })
  const answer = await request(test.app)
    .get('/v1/gadgets?fields=code')
    .set({ Authorization: bearer(key), Accept: 'text/csv' })
  assert.is(answer.status, 200)
  const { body } = await ask('/v1/events?event=security.exported&limit=1')
  assert.is(body.data[0]?.record_id, 'gadgets', JSON.stringify(body))
})

csv('tells of a report how deep a row stands, and leaves totals out', () => {
  const column = (name: string) => ({ name, label: name, type: 'data' })
  const result = {
    columns: [column('account'), column('debit')],
    data: [
      { account: 'Assets', debit: 5, indent: 0 },
      { account: 'Cash', debit: 5, indent: 1 },
    ],
    totals: { debit: 5 },
  } as unknown as ReportResult
  const text = (isTree: boolean, totals: boolean) =>
    [...reportCsv(result, { isTree, totals })].join('')
  const rows = 'Assets,5,0\r\nCash,5,1\r\n'
  assert.is(text(true, true), `account,debit,Indent\r\n${rows}Total,5,\r\n`)
  assert.is(text(true, false), `account,debit,Indent\r\n${rows}`)
  assert.is(text(false, false), 'account,debit\r\nAssets,5\r\nCash,5\r\n')
})

csv('refuses what has no form that is accepted', async () => {
  for (const [path, accept] of [
    ['/v1/gadgets', 'application/xml'],
    ['/v1/gadgets/B-1', 'text/csv'],
    ['/v1/reports/trial-balance', 'image/png'],
  ] as const) {
    const answer = await ask(path, 'get', accept)
    assert.equal([answer.status, answer.body.error.code], [406, 'NOT_ACCEPTABLE'], path)
    assert.match(answer.body.error.message, 'application/json')
  }
  for (const accept of ['*/*', 'application/*', 'text/html, */*;q=0.1', 'application/json'])
    assert.is((await ask('/v1/gadgets/B-1', 'get', accept)).status, 200, accept)
  assert.match(String((await ask('/v1/gadgets')).headers.vary), 'Accept')
})

csv.run()
