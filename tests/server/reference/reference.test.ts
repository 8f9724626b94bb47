import { readFileSync } from 'node:fs'
import request from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bearer, openTestApp, TEST_DOCTYPES, type TestApp } from '../test-app.ts'

const reference = suite('/docs')
let test: TestApp

reference.before(async () => {
  const wary = `
doctype: Wary Thing
module: support
tier: free
naming: field:code
description: Something <b>bold</b> & "quoted".
fields:
  code: {type: data, required: true, description: "<script>alert(1)</script>"}
  cost: {type: currency}
  gadget: {type: link, options: Gadget}
permissions:
  fields: {cost: {read: [Accounts User]}}
`
  test = await openTestApp({ doctypes: { ...TEST_DOCTYPES, 'wary-thing': wary } })
})
reference.after(() => test.close())

async function page(path: string, key?: string) {
  const asked = request(test.app).get(path)
  const { status, text, headers } = await (key ? asked.set('Authorization', bearer(key)) : asked)
  return { status, text, headers }
}

reference('has a page for each resource and report, all of which are there', async () => {
  const { text } = await page('/docs')
  const linked = [...new Set([...text.matchAll(/href="(\/docs\/[^"]+)"/g)].map(([, at]) => at!))]
  assert.ok(linked.length > 200)
  const some = linked.filter((at, n) => n % 40 === 0 || !/resources|reports/.test(at))
  for (const at of some) assert.is((await page(at)).status, 200, at)
  assert.is((await page('/docs/resources/nothing')).status, 404)
  assert.is((await page('/docs/reports/nothing')).status, 404)
})

reference(
  'tells of a resource its fields, their rules, who may, and requests in three languages',
  async () => {
    const { text } = await page('/docs/resources/parcels')
    for (const part of [
      'receiver',
      'required',
      '<a href="/docs/resources/gadgets">gadgets</a>',
      'Who may',
      'System Manager',
      'parcels.submitted',
      'curl -X POST',
      'method: &#39;PATCH&#39;',
      'import requests',
      '/submit',
    ])
      assert.ok(text.includes(part), part)
  },
)

reference('tells of a report its parameters and columns, and of errors every code', async () => {
  const { text } = await page('/docs/reports/stock-projected-qty')
  for (const part of ['item_group', 'shortage_qty', 'text/csv'])
    assert.ok(text.includes(part), part)
  const errors = await page('/docs/errors')
  for (const part of ['PRECONDITION_FAILED', 'no_such_record'])
    assert.ok(errors.text.includes(part))
  assert.ok((await page('/docs/events')).text.includes('parcels.submitted'))
  assert.ok((await page('/docs/lists')).text.includes('__between'))
  assert.ok((await page('/docs/webhooks')).text.includes('webhook-signature'))
})

reference('is found by words, without a script too', async () => {
  const { text } = await page('/docs?q=GIZMOS')
  const found = text.slice(text.indexOf('<main'))
  assert.ok(found.includes('/docs/resources/gadgets'))
  assert.not(found.includes('/docs/resources/parcels'))
  assert.ok((await page('/docs?q=%3Cscript%3E')).text.includes('Nothing has these words'))
  assert.is((await page('/docs?x=1')).status, 422)
})

reference('shows the reader their own ids, and strangers none', async () => {
  const { key } = await test.newKey({ scope: 'admin' })
  await request(test.app)
    .post('/v1/gadgets')
    .set('Authorization', bearer(key))
    .send({ code: 'MY-OWN-1', title: 'Bell' })
  assert.ok((await page('/docs/resources/gadgets', key)).text.includes('/v1/gadgets/MY-OWN-1'))
  const stranger = await page('/docs/resources/gadgets')
  assert.not(stranger.text.includes('MY-OWN-1'))
  assert.ok(stranger.text.includes('Bearer svc_live_…'))
  assert.match(String(stranger.headers.vary), 'Authorization')
  assert.match(String(stranger.headers['cache-control']), 'private')
})

reference('escapes what definitions say, and hides fields of others', async () => {
  const { text, headers } = await page('/docs/resources/wary-things')
  assert.not(text.includes('<script>alert') || text.includes('<b>bold'))
  assert.ok(text.includes('&lt;script&gt;alert(1)'))
  assert.not(text.includes('id="cost"'))
  assert.ok((await page('/docs/resources/wary-things', test.keys.admin)).text.includes('id="cost"'))
  const policy = String(headers['content-security-policy'])
  assert.match(policy, "script-src 'self'")
  assert.not.match(policy, 'unsafe')
  assert.not.match(text, /<script>|<style>| on\w+=| style=/)
})

reference('has the colours of the Desk, light and dark', () => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
  const colours = (text: string) =>
    [...text.matchAll(/(--[\w-]+): (#\w{6});/g)].map(([, name, value]) => `${name} ${value}`)
  const desk = new Set(colours(read('desk/style/tokens.css')))
  const own = colours(read('server/pages/assets/reference.css'))
  assert.ok(own.length >= 20)
  assert.equal(
    own.filter((colour) => !desk.has(colour)),
    [],
  )
})

reference.run()
