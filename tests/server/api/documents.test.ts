import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { failureOf } from '../../../server/api/failure.ts'
import { saveDocument } from '../../../server/api/save.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { type Anything, openSite, type Site } from './site.ts'

forEachDatabase('documents of surface A', ({ test, fresh }) => {
  let site: Site
  test.before(async () => {
    site = await openSite({ database: await fresh(), settings: { rateLimit: false } })
    for (const code of ['one', 'two'])
      await site.call('POST', '/api/resource/Gadget', {
        json: { code, title: code, pin: 's3cret' },
      })
  })
  test.after(() => site?.close())

  async function newErrand(json: object = {}): Promise<Record<string, Anything>> {
    const sent = {
      title: 'E',
      size: 2,
      code: 'c',
      lines: [{ gadget: 'one', qty: 1, remark: 'r' }],
      ...json,
    }
    const { status, body } = await site.call('POST', '/api/resource/Errand', { json: sent })
    assert.is(status, 200, JSON.stringify(body))
    return body.data
  }

  test('has its fields, the standard ones by the names of Frappe, and rows of its own shape', async () => {
    const doc = await newErrand()
    const { name, creation, modified, owner, modified_by, docstatus, idx, doctype } = doc
    assert.equal(
      [owner, modified_by, docstatus, idx, doctype],
      ['ada@example.com', 'ada@example.com', 0, 0, 'Errand'],
    )
    for (const moment of [creation, modified])
      assert.match(moment, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/)
    assert.is(doc.double_size, 4)
    const [row] = doc.lines
    assert.equal(
      [row.parent, row.parenttype, row.parentfield, row.doctype, row.idx, row.qty, row.docstatus],
      [name, 'Errand', 'lines', 'Errand Line', 1, 1, 0],
    )
    assert.ok(row.name)
    // Single documents leave out what is unset; frappe.client keeps it.
    assert.not.ok('note' in doc)
    const got = await site.call('GET', `/api/method/frappe.client.get?doctype=Errand&name=${name}`)
    assert.is(got.body.message.note, null)
  })

  test('goes back whole as it was read and stays what it was', async () => {
    const doc = await newErrand()
    const path = `/api/resource/Errand/${doc.name}`
    const { body } = await site.call('PUT', path, { json: doc })
    const { modified: _a, modified_by: _b, ...is } = body.data
    const { modified: _c, modified_by: _d, ...was } = doc
    assert.equal(
      JSON.parse(JSON.stringify(is, without('modified'))),
      JSON.parse(JSON.stringify(was, without('modified'))),
    )
    const submitted = await site.call('PUT', path, { json: { ...body.data, docstatus: 1 } })
    assert.is(submitted.body.data.docstatus, 1, submitted.text)
    const same = await site.call('PUT', path, { json: submitted.body.data })
    assert.is(same.status, 200, same.text)
    assert.is(same.body.data.modified, submitted.body.data.modified)
    const cancelled = await site.call('PUT', path, { json: { ...same.body.data, docstatus: 2 } })
    assert.is(cancelled.body.data.docstatus, 2)
  })

  test('replaces a table that is sent: rows with a name stay, others are new, missing ones go', async () => {
    const doc = await newErrand({ lines: [{ qty: 1, remark: 'kept' }, { qty: 2 }] })
    const [first] = doc.lines
    const json = {
      lines: [{ name: first.name, qty: 5 }, { qty: 6 }, { qty: '7', name: 'new-1', __islocal: 1 }],
    }
    const { body } = await site.call('PUT', `/api/resource/Errand/${doc.name}`, { json })
    assert.equal(
      body.data.lines.map(({ qty, remark }: Anything) => [qty, remark]),
      [
        [5, 'kept'],
        [6, undefined],
        [7, undefined],
      ],
    )
    assert.is(body.data.lines[0].name, first.name)
    const untouched = await site.call('PATCH', `/api/resource/Errand/${doc.name}`, {
      json: { title: 'F' },
    })
    assert.is(untouched.body.data.lines.length, 3)
  })

  test('changes once it is submitted in what may change then, sent whole or by field', async () => {
    const doc = await newErrand({ docstatus: 1 })
    const put = (json: object) => site.call('PUT', `/api/resource/Errand/${doc.name}`, { json })
    const [line] = doc.lines
    const whole = { ...doc, carrier: 'Post', lines: [{ ...line, serial: 'S-1' }] }
    const changed = (await put(whole)).body.data
    assert.equal(
      [changed.docstatus, changed.carrier, changed.lines[0].serial, changed.title],
      [1, 'Post', 'S-1', 'E'],
    )
    assert.is((await put({ carrier: 'Ship' })).body.data.carrier, 'Ship')
    for (const json of [
      { carrier: 'Rail', title: 'F' },
      { carrier: 'Rail', docstatus: 2 },
      { lines: [{ ...line, serial: 'S-2', qty: 5 }] },
      { lines: [] },
    ]) {
      const refused = await put(json)
      assert.equal([refused.status, refused.body.exc_type], [417, 'UpdateAfterSubmitError'])
    }
    const is = (await site.call('GET', `/api/resource/Errand/${doc.name}`)).body.data
    assert.equal([is.carrier, is.lines[0].serial, is.docstatus], ['Ship', 'S-1', 1])
  })

  test('changes and is submitted in one transaction: refused, neither has happened', async () => {
    const doc = await newErrand()
    const path = `/api/resource/Errand/${doc.name}`
    // A draft may link to a draft; a submitted document may not.
    const parcel = await site.call('POST', '/api/resource/Parcel', { json: { receiver: 'R' } })
    const json = { title: 'Changed', parcel: parcel.body.data.name, docstatus: 1 }
    const refused = await site.call('PUT', path, { json })
    assert.is(refused.status, 417)
    const { body } = await site.call('GET', path)
    assert.equal([body.data.title, body.data.docstatus], ['E', 0])
    await site.call('PUT', `/api/resource/Parcel/${json.parcel}`, { json: { docstatus: 1 } })
    const done = await site.call('PUT', path, { json })
    assert.equal([done.body.data.title, done.body.data.docstatus], ['Changed', 1])
  })

  test('modified locks: of two that read the same, one wins, also at the same time', async () => {
    const doc = await newErrand()
    const path = `/api/resource/Errand/${doc.name}`
    site.test.clock.advance(1000)
    const { engine } = site.test
    const definition = engine.services.registry.byDoctype('Errand')!
    const context = engine.context(SYSTEM_ACTOR, 'free')
    // Called directly: all of them have read the document before the first has changed it.
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((title) =>
        saveDocument(context, definition, doc.name, { title, modified: doc.modified }),
      ),
    )
    const types = outcomes.map((one) =>
      one.status === 'fulfilled' ? 'won' : failureOf(one.reason).type,
    )
    const lost = 'TimestampMismatchError'
    assert.equal(types.sort(), [lost, lost, lost, 'won'])
    const late = await site.call('PUT', path, { json: { title: 'e', modified: doc.modified } })
    assert.is(late.body.exc_type, lost)
    const without = await site.call('PUT', path, { json: { title: 'last wins' } })
    assert.is(without.status, 200)
  })

  test('shows linked documents in the place of their names when asked, and those only who may read them', async () => {
    const doc = await newErrand({ gadget: 'two' })
    const { body } = await site.call('GET', `/api/resource/Errand/${doc.name}?expand_links=1`)
    assert.is(body.data.gadget.title, 'two')
    assert.is(body.data.gadget.pin, undefined)
    assert.is(body.data.lines[0].gadget.name, 'one')
    const plain = await site.call('GET', `/api/resource/Errand/${doc.name}`)
    assert.is(plain.body.data.gadget, 'two')
  })

  test('runs its actions by name and label, with what they take', async () => {
    const doc = await newErrand()
    const path = `/api/resource/Errand/${doc.name}`
    const one = await site.call('POST', `${path}?run_method=enlarge`, { json: { by: '5' } })
    assert.is(one.body.data.size, 7, one.text)
    const two = await site.call('POST', path, { form: { run_method: 'Make Larger' } })
    assert.is(two.body.data.size, 8, two.text)
    const workflow = await site.call('POST', '/api/method/frappe.model.workflow.apply_workflow', {
      form: { doc: JSON.stringify({ doctype: 'Errand', name: doc.name }), action: 'Make Larger' },
    })
    assert.is(workflow.body.message.size, 9)
    const ran = await site.call('POST', '/api/method/run_doc_method', {
      json: { dt: 'Errand', dn: doc.name, method: 'enlarge', args: '{"by": 1}' },
    })
    assert.is(ran.body.docs[0].size, 10)
    const unknown = await site.call('POST', `${path}?run_method=explode`)
    assert.is(unknown.status, 404)
    const read = await site.call('GET', `${path}?run_method=enlarge`)
    assert.is(read.status, 403)
    const { body } = await site.call('GET', path)
    assert.is(body.data.size, 10)
  })

  test('moves a chosen status as a workflow does, and says where the caller may move it', async () => {
    const made = await site.call('POST', '/api/resource/Holiday%20Request', {
      json: { title: 'H' },
    })
    const doc = { doctype: 'Holiday Request', name: made.body.data.name }
    const method = (name: string, json: object) =>
      site.call('POST', `/api/method/frappe.model.workflow.${name}`, { json: { doc, ...json } })
    const actions = async (): Promise<unknown> =>
      (await method('get_transitions', {})).body.message.map(({ action }: Anything) => action)
    assert.equal(await actions(), ['Approved', 'Withdrawn'])
    const withdrawn = await method('apply_workflow', { action: 'withdrawn' })
    assert.is(withdrawn.body.message.state, 'Withdrawn', withdrawn.text)
    assert.equal(await actions(), ['Open'])
    assert.is((await method('apply_workflow', { action: 'Approved' })).status, 417)
    assert.is((await method('apply_workflow', { action: 'Lost' })).status, 404)
    assert.is((await method('apply_workflow', { action: 'Shelve' })).body.message.state, 'Shelved')
  })

  test('tells of what happened in the event log as on surface B', async () => {
    const doc = await newErrand({ docstatus: 1 })
    const { events } = site.test.engine.services
    assert.ok(events)
    const answer = await site.call('GET', `/v1/events?record_id=${doc.name}`, {
      as: `Bearer ${site.test.keys.admin}`,
    })
    const kinds = answer.body.data.map(({ kind }: Anything) => kind)
    assert.equal(kinds.sort(), ['created', 'submitted'])
  })
})

function without(...keys: readonly string[]): (key: string, value: unknown) => unknown {
  return (key, value) => (keys.includes(key) ? undefined : value)
}
