import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { openSite, type Site } from './site.ts'

/** The twelve things that decide whether clients of Frappe work unchanged (erp-semantics.md §0). */
forEachDatabaseWhenDeep('deciders of surface A', ({ test, fresh }) => {
  let site: Site
  test.before(async () => {
    site = await openSite({ database: await fresh(), settings: { rateLimit: false } })
    for (const code of ['A/1', 'plain', '50% off #1', 'ümläut'])
      await site.call('POST', '/api/resource/Gadget', { json: { code, title: `Title ${code}` } })
  })
  test.after(() => site?.close())

  test('decider 1: both prefixes, a slash at the end, names with slashes sent plainly or encoded', async () => {
    for (const path of [
      '/api/resource/Gadget/A/1',
      '/api/resource/Gadget/A%2F1',
      '/api/v1/resource/Gadget/A/1',
      '/api/resource/Gadget/A/1/',
      '/api/v1/resource/Gadget/A%2F1/',
    ]) {
      const { status, body } = await site.call('GET', path)
      assert.is(status, 200, path)
      assert.is(body.data.name, 'A/1')
    }
    for (const name of ['50% off #1', 'ümläut']) {
      const { body } = await site.call('GET', `/api/resource/Gadget/${encodeURIComponent(name)}`)
      assert.is(body.data.name, name)
    }
    for (const path of [
      '/api/resource/Gadget',
      '/api/resource/Gadget/',
      '/api/v1/resource/Gadget/',
    ])
      assert.is((await site.call('GET', path)).status, 200, path)
    assert.is((await site.call('GET', '/api/resource/Sales%20Order')).status, 200)
  })

  test('decider 2: a page is as long as it was asked for, 0 is everything, 20 when nothing is said', async () => {
    const docs = Array.from({ length: 150 }, (_, n) => ({
      doctype: 'Gadget',
      code: `many-${n}`,
      title: 'Many',
    }))
    await site.call('POST', '/api/method/frappe.client.insert_many', { json: { docs } })
    const lengthOf = async (query: string): Promise<number> =>
      (await site.call('GET', `/api/resource/Gadget?${query}`)).body.data.length
    assert.is(await lengthOf(''), 20)
    assert.is(await lengthOf('limit_page_length=1000'), 154)
    assert.is(await lengthOf('limit_page_length=0'), 154)
    assert.is(await lengthOf('limit=30'), 30)
    assert.is(await lengthOf('limit=30&limit_page_length=40'), 40)
    // n8n reads a page of 1000, then goes on from 999 until a page is empty.
    assert.is(await lengthOf('limit_start=154&limit_page_length=1000'), 0)
  })

  test('decider 3: every error has a non-empty exc, a JSON list with a line and no stack', async () => {
    const { status, body } = await site.call('GET', '/api/resource/Gadget/nobody')
    assert.is(status, 404)
    const lines = JSON.parse(body.exc)
    assert.is(lines.length, 1)
    assert.match(lines[0], /^frappe\.exceptions\.DoesNotExistError: .*nobody/)
    assert.not.match(body.exc, /\bat .*\.ts|node:/)
  })

  test('decider 4: errors say what is wrong as plain text under message', async () => {
    const { status, body } = await site.call('POST', '/api/resource/Gadget', { json: {} })
    assert.is(status, 417)
    assert.is(body.exc_type, 'MandatoryError')
    assert.match(body.message, 'Error: Value missing for Gadget: Code')
  })

  test('decider 5: DELETE answers 202 in the words of old and new Frappe', async () => {
    await site.call('POST', '/api/resource/Gadget', { json: { code: 'gone', title: 'Gone' } })
    const { status, body } = await site.call('DELETE', '/api/resource/Gadget/gone')
    assert.is(status, 202)
    assert.equal(body, { message: 'ok', data: 'ok' })
    assert.is((await site.call('GET', '/api/resource/Gadget/gone')).status, 404)
  })

  test('decider 6: texts everywhere mean values of the fields', async () => {
    const sent = {
      code: 'texts',
      title: 'T',
      price: '100.5',
      stock: '7',
      active: '0',
      made_on: '2026-03-01',
    }
    const { status, body } = await site.call('POST', '/api/resource/Gadget', { json: sent })
    assert.is(status, 200)
    const { price, stock, active, made_on } = body.data
    assert.equal([price, stock, active, made_on], [100.5, 7, 0, '2026-03-01'])
    const put = await site.call('PUT', '/api/resource/Gadget/texts', { json: { active: true } })
    assert.is(put.body.data.active, 1)
    const listed = await site.call(
      'GET',
      `/api/resource/Gadget?as_dict=false&debug=false&fields=["name","stock"]&filters=[["stock","=","7"]]`,
    )
    assert.equal(listed.body.data, [['texts', 7]])
  })

  test("decider 7: n8n's filters, with a percent-encoded DocType in each, filter", async () => {
    for (const [code, price] of [
      ['dear', 150],
      ['cheap', 50],
    ])
      await site.call('POST', '/api/resource/Blue%20Gadget', { json: { code, price } })
    const filters = JSON.stringify([['Blue%20Gadget', 'price', '>', '100']])
    const path = `/api/resource/Blue%20Gadget?filters=${encodeURIComponent(filters)}`
    const { status, body } = await site.call('GET', path)
    assert.is(status, 200, JSON.stringify(body))
    assert.equal(body.data, [{ name: 'dear' }])
  })

  test('decider 8: everybody reads the DocTypes they may read records of', async () => {
    const token = await site.addPerson('sam@example.com', ['Sales User'])
    const page = await site.call(
      'GET',
      '/api/resource/DocType?limit_start=0&limit_page_length=1000',
      { as: token },
    )
    assert.is(page.status, 200)
    const names = page.body.data.map(({ name }: { name: string }) => name)
    assert.ok(names.includes('Gadget'))
    assert.not.ok(names.includes('User'))
    assert.not.ok(names.includes('Turbine'))
    const next = await site.call(
      'GET',
      '/api/resource/DocType?limit_start=999&limit_page_length=1000',
    )
    assert.equal(next.body.data, [])
    const { body } = await site.call('GET', '/api/resource/DocType/Gadget', { as: token })
    for (const { label, fieldname, fieldtype } of body.data.fields)
      assert.ok(label && fieldname && fieldtype)
    assert.is((await site.call('GET', '/api/resource/DocType/User', { as: token })).status, 403)
    assert.is((await site.call('GET', '/api/resource/DocType/Nonsense', { as: token })).status, 404)
  })

  test('decider 9: cmd at the root, as form, query or JSON', async () => {
    const usr = 'ada@example.com'
    const pwd = 'correct horse 9'
    for (const sent of [
      await site.call('POST', '/', { as: null, form: { cmd: 'login', usr, pwd } }),
      await site.call(
        'POST',
        `/?cmd=login&usr=${encodeURIComponent(usr)}&pwd=${encodeURIComponent(pwd)}`,
        {
          as: null,
        },
      ),
      await site.call('POST', '/', { as: null, json: { cmd: 'login', usr, pwd } }),
    ]) {
      assert.is(sent.status, 200, sent.text)
      assert.is(sent.body.message, 'Logged In')
      assert.match(String(sent.headers.get('set-cookie')), /sid=/)
    }
    assert.is((await site.call('GET', '/?cmd=logout', { as: null })).status, 200)
    const listed = await site.call('POST', '/', {
      form: {
        cmd: 'frappe.client.get_list',
        doctype: 'Gadget',
        filters: JSON.stringify({ name: 'plain' }),
        fields: JSON.stringify(['name', 'title']),
      },
    })
    assert.equal(listed.body.message, [{ name: 'plain', title: 'Title plain' }])
    const inserted = await site.call('POST', '/', {
      form: {
        cmd: 'frappe.client.insert',
        doc: JSON.stringify({ doctype: 'Gadget', code: 'by-cmd', title: 'By cmd' }),
      },
    })
    assert.is(inserted.body.message.name, 'by-cmd')
  })

  test('decider 10: a document comes as JSON, as data in a form, or as data in JSON', async () => {
    const doc = (code: string): object => ({ code, title: 'T', doctype: 'Gadget', flags: { a: 1 } })
    const data = JSON.stringify(doc('form-data'))
    for (const [code, sent] of [
      ['plain-json', { json: doc('plain-json') }],
      ['form-data', { form: { data } }],
      ['json-data', { json: { data: doc('json-data') } }],
      ['form-fields', { form: { code: 'form-fields', title: 'T' } }],
    ] as const) {
      const { status, body } = await site.call('POST', '/api/resource/Gadget', sent)
      assert.is(status, 200, `${code} ${JSON.stringify(body)}`)
      assert.is(body.data.name, code)
    }
    const multipart = new FormData()
    multipart.append('code', 'multipart')
    multipart.append('title', 'T')
    const { body } = await site.call('POST', '/api/resource/Gadget', { body: multipart })
    assert.is(body.data.name, 'multipart')
    const put = await site.call('PUT', '/api/resource/Gadget/multipart', {
      form: { data: JSON.stringify({ title: 'Changed' }) },
    })
    assert.is(put.body.data.title, 'Changed')
  })

  test('decider 11: docstatus submits, cancels, and submits what is created', async () => {
    const json = { receiver: 'R', items: [{ gadget: 'plain', qty: 2 }] }
    const draft = await site.call('POST', '/api/resource/Parcel', { json })
    const { name } = draft.body.data
    assert.is(draft.body.data.docstatus, 0)
    const path = `/api/resource/Parcel/${name}`
    const submitted = await site.call('PUT', path, { json: { docstatus: 1 } })
    assert.is(submitted.body.data.docstatus, 1)
    const cancelled = await site.call('PUT', path, { json: { docstatus: '2' } })
    assert.is(cancelled.body.data.docstatus, 2)
    const atOnce = await site.call('POST', '/api/resource/Parcel', {
      json: { ...json, docstatus: 1 },
    })
    assert.is(atOnce.body.data.docstatus, 1)
    for (const method of ['submit', 'cancel']) {
      const at =
        method === 'submit' ? await site.call('POST', '/api/resource/Parcel', { json }) : atOnce
      const ran = await site.call('POST', `/api/resource/Parcel/${at.body.data.name}`, {
        form: { run_method: method },
      })
      assert.is(ran.body.data.docstatus, method === 'submit' ? 1 : 2)
    }
  })

  test('decider 12: a credential that is wrong is 401 everywhere, none at all is a guest: 403', async () => {
    for (const as of ['token a:b', 'Bearer nonsense', 'Basic bm86bm8=', 'token x']) {
      for (const path of ['/api/resource/Gadget', '/api/method/ping', '/api/method/nothing']) {
        const { status, body } = await site.call('GET', path, { as })
        assert.is(status, 401, `${as} ${path}`)
        assert.is(body.exc_type, 'AuthenticationError')
      }
    }
    const { status, body } = await site.call('GET', '/api/resource/Gadget', { as: null })
    assert.is(status, 403)
    assert.is(body.exc_type, 'PermissionError')
    assert.equal((await site.call('GET', '/api/method/ping', { as: null })).body, {
      message: 'pong',
    })
  })
})
