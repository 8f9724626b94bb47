import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { type Anything, openSite, type Sent, type Site } from './site.ts'

forEachDatabaseWhenDeep('methods of surface A', ({ test, fresh }) => {
  let site: Site
  let clerk: string
  test.before(async () => {
    site = await openSite({ database: await fresh(), settings: { rateLimit: false } })
    clerk = await site.addPerson('sam@example.com', ['Sales User'])
    for (const code of ['one', 'two', 'three'])
      await site.call('POST', '/api/resource/Gadget', {
        json: { code, title: `Title ${code}`, stock: code.length },
      })
  })
  test.after(() => site?.close())

  async function post(method: string, json: object, sent: Sent = {}): Promise<Anything> {
    return site.call('POST', `/api/method/${method}`, { json, ...sent })
  }
  async function message(method: string, json: object, sent: Sent = {}): Promise<Anything> {
    const { status, body, text } = await post(method, json, sent)
    assert.is(status, 200, text)
    return body.message
  }

  test('get finds by name, by filters, and refuses without either', async () => {
    const doctype = 'Gadget'
    assert.is((await message('frappe.client.get', { doctype, name: 'one' })).title, 'Title one')
    const found = await message('frappe.client.get', { doctype, filters: { stock: 5 } })
    assert.is(found.name, 'three')
    assert.is((await post('frappe.client.get', { doctype, filters: { stock: 99 } })).status, 404)
    assert.is((await post('frappe.client.get', { doctype })).status, 417)
    assert.is((await post('frappe.client.get', {})).status, 417)
  })

  test('get_value answers fields of the first record, nothing for none', async () => {
    const ask = (more: object): Promise<Anything> =>
      message('frappe.client.get_value', { doctype: 'Gadget', ...more })
    assert.equal(await ask({ fieldname: 'title', filters: 'one' }), { title: 'Title one' })
    assert.equal(await ask({ fieldname: '["title","stock"]', filters: '{"name":"two"}' }), {
      title: 'Title two',
      stock: 3,
    })
    assert.equal(await ask({ fieldname: 'title', filters: 'nothing' }), {})
    assert.equal(
      await ask({ fieldname: ['name', 'stock'], filters: { name: 'two' }, as_dict: 0 }),
      ['two', 3],
    )
    assert.is(await ask({ fieldname: 'stock', filters: { name: 'two' }, as_dict: false }), 3)
  })

  test('an object that JavaScript can make no text of is refused in every parameter', async () => {
    const odd = { toString: 1, valueOf: 1 }
    const doctype = 'Gadget'
    const calls: readonly [method: string, json: object, status: number][] = [
      ['frappe.client.get', { doctype: 'DocType', name: odd }, 417],
      ['frappe.client.get_value', { doctype, fieldname: [odd] }, 417],
      ['frappe.client.has_permission', { doctype, perm_type: odd }, 417],
      ['frappe.client.get_list', { doctype: 'DocType', fields: [odd] }, 417],
      ['frappe.client.insert', { doc: { doctype, code: 'odd', docstatus: odd } }, 417],
    ]
    for (const [method, json, status] of calls)
      assert.is((await post(method, json)).status, status, method)
    for (const operator of ['=', '!=', 'in', 'not in', 'like', 'not like'])
      for (const value of [odd, [odd]]) {
        const filters = [['name', operator, value]]
        const { status } = await post('frappe.client.get_count', { doctype: 'DocType', filters })
        assert.is(status, 200, operator)
      }
  })

  test('get_list and get_count take what lists take', async () => {
    const filters = [['stock', '>', 3]]
    const rows = await message('frappe.client.get_list', {
      doctype: 'Gadget',
      filters,
      fields: ['stock'],
    })
    assert.equal(rows, [{ stock: 5 }])
    const { body } = await site.call(
      'GET',
      '/api/method/frappe.client.get_count?doctype=Gadget&filters=[]',
    )
    assert.equal(body, { message: 3 })
    const types = await message('frappe.client.get_count', {
      doctype: 'DocType',
      filters: { name: 'Gadget' },
    })
    assert.is(types, 1)
  })

  test('insert_many creates all or none, at most 200', async () => {
    const doc = (code: string): object => ({ doctype: 'Gadget', code, title: 'M' })
    const docs = JSON.stringify([doc('m1'), doc('m2')])
    assert.equal(await message('frappe.client.insert_many', { docs }), ['m1', 'm2'])
    const half = await post('frappe.client.insert_many', { docs: [doc('m3'), doc('one')] })
    assert.is(half.status, 409, half.text)
    assert.is((await site.call('GET', '/api/resource/Gadget/m3')).status, 404)
    const many = Array.from({ length: 201 }, (_, n) => doc(`n${n}`))
    assert.is((await post('frappe.client.insert_many', { docs: many })).status, 417)
    const parcels = (count: number, rows: number, docstatus = 0): object[] => {
      const items = Array.from({ length: rows }, () => ({}))
      return Array.from({ length: count }, () => ({ doctype: 'Parcel', docstatus, items }))
    }
    for (const [long, why] of [
      [parcels(2, 501), 'Only 1000 rows of tables allowed in one request, got 1002'],
      [parcels(31, 1, 1), 'Only 30 documents that are submitted allowed in one request, got 31'],
      [parcels(2, 251, 1), 'Only 500 rows of documents that are submitted allowed .* got 502'],
    ] as const) {
      const refused = await post('frappe.client.insert_many', { docs: long })
      assert.is(refused.status, 417)
      assert.match(refused.text, new RegExp(why))
    }
  })

  test('save creates what is new and changes what is there', async () => {
    const doc = { doctype: 'Gadget', code: 'saved', title: 'S', __islocal: 1, name: 'new-gadget-1' }
    const made = await message('frappe.client.save', { doc: JSON.stringify(doc) })
    assert.is(made.name, 'saved')
    const changed = await message('frappe.client.save', { doc: { ...made, title: 'Other' } })
    assert.equal([changed.name, changed.title], ['saved', 'Other'])
  })

  test('bulk_update changes each on its own and names those that fail', async () => {
    const docs = [
      { doctype: 'Gadget', docname: 'one', stock: '11' },
      { doctype: 'Gadget', docname: 'nothing', stock: 1 },
      { doctype: 'Gadget', docname: 'two', stock: 12 },
    ]
    const { failed_docs } = await message('frappe.client.bulk_update', {
      docs: JSON.stringify(docs),
    })
    assert.is(failed_docs.length, 1)
    assert.equal(failed_docs[0].doc, docs[1])
    assert.match(failed_docs[0].exc, 'DoesNotExistError')
    assert.is((await site.call('GET', '/api/resource/Gadget/two')).body.data.stock, 12)
  })

  test('set_value sets one field or several, also of a row', async () => {
    const set = (json: object): Promise<Anything> => message('frappe.client.set_value', json)
    const name = 'three'
    assert.is((await set({ doctype: 'Gadget', name, fieldname: 'stock', value: '8' })).stock, 8)
    const both = await set({ doctype: 'Gadget', name, fieldname: '{"stock": 9, "title": "T"}' })
    assert.equal([both.stock, both.title], [9, 'T'])
    const json = {
      title: 'E',
      lines: [
        { qty: 1, remark: 'a' },
        { qty: 2, remark: 'b' },
      ],
    }
    const errand = (await site.call('POST', '/api/resource/Errand', { json })).body.data
    const row = errand.lines[1].name
    const parent = await set({ doctype: 'Errand Line', name: row, fieldname: 'qty', value: 5 })
    assert.equal(
      parent.lines.map(({ qty, remark }: Anything) => [qty, remark]),
      [
        [1, 'a'],
        [5, 'b'],
      ],
    )
    const added = await message('frappe.client.insert', {
      doc: {
        doctype: 'Errand Line',
        parenttype: 'Errand',
        parentfield: 'lines',
        parent: errand.name,
        qty: 3,
      },
    })
    assert.equal(
      added.lines.map(({ qty }: Anything) => qty),
      [1, 5, 3],
    )
    const gone = await post('frappe.client.set_value', {
      doctype: 'Errand Line',
      name: 'nothing',
      fieldname: 'qty',
      value: 5,
    })
    assert.is(gone.status, 404, gone.text)
  })

  test('submit, cancel and delete', async () => {
    const made = await message('frappe.client.insert', { doc: { doctype: 'Errand', title: 'S' } })
    const doc = JSON.stringify({ doctype: 'Errand', name: made.name })
    assert.is((await message('frappe.client.submit', { doc })).docstatus, 1)
    assert.is(
      (await message('frappe.client.cancel', { doctype: 'Errand', name: made.name })).docstatus,
      2,
    )
    const amended = await message('frappe.client.is_document_amended', {
      doctype: 'Errand',
      docname: made.name,
    })
    assert.is(amended, undefined)
    const again = await site.call('POST', `/api/resource/Errand/${made.name}?run_method=amend`)
    const isAmended = await message('frappe.client.is_document_amended', {
      doctype: 'Errand',
      docname: made.name,
    })
    assert.is(isAmended, again.body.data.name)
    const { body } = await post('frappe.client.delete', {
      doctype: 'Errand',
      name: again.body.data.name,
    })
    assert.equal(body, {})
  })

  test('tells what the caller may do', async () => {
    const may = (perm_type: string, as: string, more: object = {}): Promise<Anything> =>
      message('frappe.client.has_permission', { doctype: 'Gadget', perm_type, ...more }, { as })
    assert.equal(await may('write', site.token, { docname: 'one' }), { has_permission: true })
    assert.equal(await may('write', site.token, { docname: 'nothing' }), { has_permission: false })
    assert.equal(await may('read', clerk), { has_permission: true })
    assert.equal(await may('write', clerk), { has_permission: false })
    const { permissions } = await message(
      'frappe.client.get_doc_permissions',
      { doctype: 'Gadget', docname: 'one' },
      { as: clerk },
    )
    assert.equal([permissions.read, permissions.write, permissions.delete], [1, 0, 0])
  })

  test('lets nobody do more than their role', async () => {
    const docs = [{ doctype: 'Gadget', code: 'x', title: 'X' }]
    for (const [method, json] of [
      ['frappe.client.insert', { doc: docs[0] }],
      ['frappe.client.insert_many', { docs }],
      ['frappe.client.set_value', { doctype: 'Gadget', name: 'one', fieldname: 'stock', value: 1 }],
      ['frappe.client.delete', { doctype: 'Gadget', name: 'one' }],
      ['frappe.client.get_list', { doctype: 'User' }],
      ['frappe.client.get_count', { doctype: 'User' }],
      ['frappe.client.get_value', { doctype: 'User', fieldname: 'email', filters: {} }],
      ['frappe.desk.search.search_link', { doctype: 'User', txt: '' }],
      ['frappe.client.validate_link', { doctype: 'User', docname: 'ada@example.com' }],
    ] as const) {
      const { status, body } = await post(method, json, { as: clerk })
      assert.equal([method, status, body.exc_type], [method, 403, 'PermissionError'])
    }
  })

  test('validate_link finds a record and its fields', async () => {
    const ask = (docname: string, fields?: string): Promise<Anything> =>
      message('frappe.client.validate_link', { doctype: 'Gadget', docname, fields })
    assert.equal(await ask('one'), { name: 'one' })
    assert.equal(await ask('one', '["title"]'), { name: 'one', title: 'Title one' })
    assert.equal(await ask('nothing'), {})
  })

  test('search_link finds by name and search fields, within filters', async () => {
    const ask = (more: object): Promise<Anything> =>
      message('frappe.desk.search.search_link', { doctype: 'Gadget', ...more })
    assert.equal(await ask({ txt: 'TITLE ONE' }), [{ value: 'one', description: 'Title one' }])
    assert.equal(await ask({ txt: 'one', filters: { stock: 0 } }), [])
    assert.is((await ask({ txt: '', page_length: 2 })).length, 2)
    const errand = (
      await site.call('POST', '/api/resource/Errand', { json: { title: 'Findable' } })
    ).body.data
    const found = await message('frappe.desk.search.search_link', {
      doctype: 'Errand',
      txt: 'findab',
    })
    assert.equal(found, [{ value: errand.name, description: '', label: 'Findable' }])
  })

  test('says so of what is not built', async () => {
    const report = await post('frappe.desk.query_report.run', { report_name: 'No Such Report' })
    assert.equal([report.status, report.body.message], [404, 'Report No Such Report not found'])
    const file = new FormData()
    file.append('file', new Blob(['x']), 'x.txt')
    const upload = await site.call('POST', '/api/method/frappe.client.insert', { body: file })
    assert.equal([upload.status, upload.body.exc_type], [417, 'ValidationError'])
    assert.match(upload.body.message, 'files are taken by upload_file')
  })
})
