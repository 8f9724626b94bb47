import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSite, type Sent, SITE_DOCTYPES, type Site } from './site.ts'

const DOCTYPES = {
  ...SITE_DOCTYPES,
  frame: `
doctype: Frame
module: stock
tier: free
submittable: true
naming: FR-{###}
fields:
  size: {type: int}
  plan: {type: json}
  notes: {type: json, allow_on_submit: true}
  gadget: {type: link, options: Gadget}
  tubes:
    type: table
    options: Frame Tube
    fields:
      cut: {type: json}
`,
}

const errors = suite('errors of surface A')

let site: Site
let draft: string
let submitted: string
let cancelled: string
errors.before(async () => {
  site = await openSite({ doctypes: DOCTYPES, settings: { rateLimit: false } })
  await site.call('POST', '/api/resource/Gadget', { json: { code: 'one', title: 'One' } })
  await site.call('POST', '/api/resource/Gadget', {
    json: { code: 'two', title: 'Two', parent_gadget: 'one' },
  })
  const newErrand = async (docstatus: number): Promise<string> => {
    const json = { title: 'E', size: 1, code: 'c', docstatus }
    return (await site.call('POST', '/api/resource/Errand', { json })).body.data.name
  }
  draft = await newErrand(0)
  submitted = await newErrand(1)
  cancelled = await newErrand(1)
  await site.call('PUT', `/api/resource/Errand/${cancelled}`, { json: { docstatus: 2 } })
})
errors.after(() => site?.close())

interface Case {
  readonly does: string
  readonly request: () => readonly [method: string, path: string, sent?: Sent]
  readonly status: number
  readonly type: string
  /** In `message`. */
  readonly says: string
}

const errand = (name: string): string => `/api/resource/Errand/${name}`

const CASES: readonly Case[] = [
  {
    does: 'a value is missing',
    request: () => ['POST', '/api/resource/Gadget', { json: { code: 'x' } }],
    status: 417,
    type: 'MandatoryError',
    says: 'Error: Value missing for Gadget: Title',
  },
  {
    does: 'a value of a row is missing',
    request: () => [
      'POST',
      '/api/resource/Errand',
      { json: { title: 'E', lines: [{ gadget: 'one' }] } },
    ],
    status: 417,
    type: 'MandatoryError',
    says: 'Error: Value missing for Errand: Row #1: Qty',
  },
  {
    does: 'a link names nothing',
    request: () => ['POST', '/api/resource/Errand', { json: { title: 'E', gadget: 'nothing' } }],
    status: 417,
    type: 'LinkValidationError',
    says: 'Could not find Gadget: ',
  },
  {
    does: 'a value is none of the options',
    request: () => [
      'POST',
      '/api/resource/Gadget',
      { json: { code: 'x', title: 'T', kind: 'No' } },
    ],
    status: 417,
    type: 'ValidationError',
    says: 'Kind: expected one of Tool, Toy',
  },
  {
    does: 'the name is taken',
    request: () => ['POST', '/api/resource/Gadget', { json: { code: 'one', title: 'T' } }],
    status: 409,
    type: 'DuplicateEntryError',
    says: 'already exists',
  },
  {
    does: 'there is no such document',
    request: () => ['PUT', '/api/resource/Gadget/none', { json: { title: 'T' } }],
    status: 404,
    type: 'DoesNotExistError',
    says: 'none',
  },
  {
    does: 'there is no such DocType',
    request: () => ['GET', '/api/resource/Nonsense'],
    status: 404,
    type: 'DoesNotExistError',
    says: 'DocType Nonsense not found',
  },
  {
    does: 'there is no such route',
    request: () => ['GET', '/api/nothing'],
    status: 404,
    type: 'DoesNotExistError',
    says: 'there is nothing at GET',
  },
  {
    does: 'somebody was faster',
    request: () => [
      'PUT',
      errand(draft),
      { json: { title: 'F', modified: '2020-01-01 00:00:00.000000' } },
    ],
    status: 417,
    type: 'TimestampMismatchError',
    says: 'has been modified after you have opened it',
  },
  {
    does: 'a submitted document changes',
    request: () => ['PUT', errand(submitted), { json: { title: 'F' } }],
    status: 417,
    type: 'UpdateAfterSubmitError',
    says: 'Not allowed to change Title after submission from "E" to "F"',
  },
  {
    does: 'a cancelled document changes',
    request: () => ['PUT', errand(cancelled), { json: { title: 'F' } }],
    status: 417,
    type: 'ValidationError',
    says: 'Cannot edit cancelled document',
  },
  {
    does: 'a draft is cancelled',
    request: () => ['PUT', errand(draft), { json: { docstatus: 2 } }],
    status: 417,
    type: 'DocstatusTransitionError',
    says: 'Cannot change docstatus from 0 (Draft) to 2 (Cancelled)',
  },
  {
    does: 'a submitted document becomes a draft',
    request: () => ['PUT', errand(submitted), { json: { docstatus: '0' } }],
    status: 417,
    type: 'DocstatusTransitionError',
    says: 'Cannot change docstatus from 1 (Submitted) to 0 (Draft)',
  },
  {
    does: 'a new document is cancelled',
    request: () => ['POST', '/api/resource/Errand', { json: { title: 'E', docstatus: 2 } }],
    status: 417,
    type: 'DocstatusTransitionError',
    says: 'Cannot change docstatus from 0',
  },
  {
    does: 'a submitted document is submitted again',
    request: () => ['POST', `${errand(submitted)}?run_method=submit`],
    status: 417,
    type: 'DocstatusTransitionError',
    says: 'it is submitted; nothing is left to do',
  },
  {
    does: 'what others link to is deleted',
    request: () => ['DELETE', '/api/resource/Gadget/one'],
    status: 417,
    type: 'LinkExistsError',
    says: 'linked with Gadget two',
  },
  {
    does: 'a submitted document is deleted',
    request: () => ['DELETE', errand(submitted)],
    status: 417,
    type: 'ValidationError',
    says: 'it is submitted; cancel it first',
  },
  {
    does: 'a field of a query is unknown',
    request: () => ['GET', '/api/resource/Gadget?fields=["nothing"]'],
    status: 417,
    type: 'DataError',
    says: 'Field not permitted in query: nothing',
  },
  {
    does: 'the plan lacks the DocType',
    request: () => ['GET', '/api/resource/Turbine'],
    status: 403,
    type: 'PermissionError',
    says: 'Business plan (tier business)',
  },
  {
    does: 'a method does not exist',
    request: () => ['POST', '/api/method/frappe.nothing'],
    status: 417,
    type: 'ValidationError',
    says: 'Failed to get method for command frappe.nothing',
  },
  {
    does: 'a method that changes is called by GET',
    request: () => ['GET', '/api/method/frappe.client.delete?doctype=Gadget&name=two'],
    status: 403,
    type: 'PermissionError',
    says: 'Not permitted',
  },
  {
    does: 'a guest calls a method that is not for them',
    request: () => ['GET', '/api/method/frappe.auth.get_logged_user', { as: null }],
    status: 403,
    type: 'PermissionError',
    says: 'not for guests',
  },
  {
    does: 'the password is wrong',
    request: () => [
      'POST',
      '/api/method/login',
      { as: null, json: { usr: 'ada@example.com', pwd: 'no' } },
    ],
    status: 401,
    type: 'AuthenticationError',
    says: 'Invalid login credentials',
  },
  {
    does: 'the body is no JSON',
    request: () => [
      'POST',
      '/api/resource/Gadget',
      { body: '{', headers: { 'Content-Type': 'application/json' } },
    ],
    status: 400,
    type: 'ValidationError',
    says: 'not JSON',
  },
  {
    does: 'the body is of another type',
    request: () => [
      'POST',
      '/api/resource/Gadget',
      { body: 'x', headers: { 'Content-Type': 'image/png' } },
    ],
    status: 415,
    type: 'UnsupportedMediaType',
    says: 'image/png',
  },
  {
    does: 'the body has no type',
    request: () => ['POST', '/api/resource/Gadget', { body: Buffer.from('x'), headers: {} }],
    status: 415,
    type: 'UnsupportedMediaType',
    says: 'got none',
  },
  {
    does: 'a form has the NUL character',
    request: () => {
      const body = new FormData()
      body.append('title', 'a\0b')
      return ['POST', '/api/resource/Gadget', { body }]
    },
    status: 417,
    type: 'ValidationError',
    says: 'NUL',
  },
  {
    does: 'the body is too long',
    request: () => ['POST', '/api/resource/Gadget', { json: { title: 'x'.repeat(1_100_000) } }],
    status: 413,
    type: 'RequestEntityTooLarge',
    says: '1 MB',
  },
  {
    does: 'another site posts with the cookie of a session',
    request: () => [
      'POST',
      '/api/method/login',
      { as: null, json: { usr: 'a', pwd: 'b' }, headers: { Origin: 'https://evil.example' } },
    ],
    status: 400,
    type: 'CSRFTokenError',
    says: 'Invalid Request',
  },
  {
    does: 'a record is renamed',
    request: () => [
      'POST',
      '/api/method/frappe.client.rename_doc',
      { json: { doctype: 'Gadget', old_name: 'one', new_name: 'uno' } },
    ],
    status: 417,
    type: 'ValidationError',
    says: 'cannot be renamed',
  },
  {
    does: 'standard fields are set',
    request: () => [
      'POST',
      '/api/method/frappe.client.set_value',
      { json: { doctype: 'Gadget', name: 'one', fieldname: 'owner', value: 'x' } },
    ],
    status: 417,
    type: 'ValidationError',
    says: 'Cannot edit standard fields',
  },
]

for (const { does, request, status, type, says } of CASES) {
  errors(`when ${does}: ${type}, ${status}`, async () => {
    const answer = await site.call(...request())
    const { body } = answer
    assert.is(answer.status, status, answer.text)
    assert.is(body.exc_type, type)
    assert.match(body.message, says)
    assert.is(body._error_message, body.message)
    assert.ok(body.exception.startsWith(`frappe.exceptions.${type}: `))
    assert.equal(JSON.parse(body.exc), [body.exception])
    for (const text of JSON.parse(body._server_messages)) {
      const message = JSON.parse(text)
      assert.ok(body.message.includes(message.message))
      assert.is(message.indicator, 'red')
    }
  })
}

errors('a text that is no JSON is told with all else that is wrong, on every way in', async () => {
  const wrong = { size: 'big', plan: '{', gadget: 'nothing', tubes: [{ cut: 'x' }] }
  const fields = ['size', 'plan', 'tubes[0].cut', 'gadget']
  const made = await site.call('POST', '/api/resource/Frame', { json: { plan: '"{"' } })
  const path = `/api/resource/Frame/${made.body.data.name}`
  for (const [method, at, json] of [
    ['POST', '/api/resource/Frame', wrong],
    ['POST', '/api/resource/Frame', { ...wrong, docstatus: 1 }],
    ['PUT', path, wrong],
    ['PUT', path, { ...wrong, docstatus: 1 }],
  ] as const) {
    const { status, body } = await site.call(method, at, { json })
    assert.is(status, 417)
    assert.equal(body.errors.map(({ field }: { field: string }) => field).sort(), fields.sort())
    const plan = body.errors.find(({ field }: { field: string }) => field === 'plan')
    assert.equal([plan.message, plan.code], ['expected JSON, or its text, got "{"', 'wrong_type'])
  }
  assert.is((await site.call('GET', path)).body.data.plan, '"{"')
})

errors('a text that is no JSON is refused on a submitted document too', async () => {
  const json = { plan: '{"a":1}', docstatus: 1 }
  const made = await site.call('POST', '/api/resource/Frame', { json })
  const path = `/api/resource/Frame/${made.body.data.name}`
  const closed = await site.call('PUT', path, { json: { plan: '{' } })
  assert.equal([closed.status, closed.body.exc_type], [417, 'UpdateAfterSubmitError'])
  assert.match(closed.body.message, 'from {"a":1} to what is no JSON;')
  const open = await site.call('PUT', path, { json: { notes: '{' } })
  assert.equal([open.status, open.body.errors[0].code], [417, 'wrong_type'])
})

errors('every answer has an id under both names and is never stored', async () => {
  for (const path of ['/api/method/ping', '/api/resource/Gadget', '/api/nothing']) {
    const { headers } = await site.call('GET', path, { headers: { 'X-Request-Id': 'abc-1' } })
    assert.is(headers.get('x-request-id'), 'abc-1')
    assert.is(headers.get('x-frappe-request-id'), 'abc-1')
    assert.is(headers.get('cache-control'), 'no-store,no-cache,must-revalidate,max-age=0')
  }
})

errors(
  'who asks for text first gets a page, and nothing of the request stands in it as markup',
  async () => {
    const { status, headers, text } = await site.call('GET', '/api/resource/%3Cb%3Ex', {
      headers: { Accept: 'text/html,*/*' },
    })
    assert.is(status, 404)
    assert.match(String(headers.get('content-type')), 'text/html')
    assert.match(text, 'DocType &lt;b&gt;x not found')
  },
)

errors('of a change that is refused, nothing stays', async () => {
  const json = { title: 'Half', lines: [{ qty: 1 }], docstatus: 1, gadget: 'nothing' }
  assert.is((await site.call('POST', '/api/resource/Errand', { json })).status, 417)
  const { body } = await site.call('GET', '/api/resource/Errand?filters={"title":"Half"}')
  assert.equal(body.data, [])
})

errors.run()
