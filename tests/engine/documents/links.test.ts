import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { invalid, openWorkspace, refused, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Person
module: crm
tier: free
naming: field:nick
fields:
  nick: {type: data, required: true}
  boss: {type: link, options: Person}
---
doctype: Invoice
module: sales
tier: free
submittable: true
naming: "INV-{###}"
fields:
  person: {type: link, options: Person, filterable: true}
  lines:
    type: table
    options: Invoice Line
    fields:
      text: {type: data}
      helper: {type: link, options: Person}
---
doctype: Payment
module: sales
tier: free
submittable: true
naming: "PAY-{###}"
fields:
  invoice: {type: link, options: Invoice, filterable: true}
  invoice_line: {type: link, options: Invoice.lines}
  party_type: {type: select, options: [Person, Invoice]}
  party: {type: dynamic_link, options: party_type}
  parts:
    type: table
    options: Payment Part
    fields:
      invoice: {type: link, options: Invoice}
`

forEachDatabase('a link', ({ test, create }) => {
  let workspace: Workspace
  let count = 0
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
  })
  test.after(() => workspace.close())

  async function person(): Promise<string> {
    count += 1
    return (await workspace.create('Person', { nick: `P${count}` })).id
  }
  async function invoice(state: 'draft' | 'submitted' | 'cancelled', body = {}): Promise<string> {
    const { id } = await workspace.create('Invoice', body)
    if (state !== 'draft') await workspace.submit('Invoice', id)
    if (state === 'cancelled') await workspace.cancel('Invoice', id)
    return id
  }
  async function payment(body: object, submit = false): Promise<string> {
    const { id } = await workspace.create('Payment', body)
    if (submit) await workspace.submit('Payment', id)
    return id
  }

  test('names an existing record, in the document and in its rows; all that do not are told', async () => {
    const error = await invalid(
      ['invoice', 'parts[1].invoice'],
      payment({ invoice: 'no', parts: [{ invoice: await invoice('draft') }, { invoice: 'nor' }] }),
    )
    assert.match(error.message, /expected an existing Invoice, got "no"/)
    await invalid(['boss'], workspace.create('Person', { nick: 'x', boss: 'nobody' }))
  })

  test('may not name a cancelled document', async () => {
    const error = await invalid(['invoice'], payment({ invoice: await invoice('cancelled') }))
    assert.match(error.message, /is cancelled/)
  })

  test('may name a draft, until the document is submitted', async () => {
    const draft = await invoice('draft')
    const id = await payment({ invoice: draft, parts: [{ invoice: draft }] })
    const error = await invalid(['invoice', 'parts[0].invoice'], workspace.submit('Payment', id))
    assert.match(error.message, /is a draft; submit it first/)
    await workspace.submit('Invoice', draft)
    assert.is((await workspace.submit('Payment', id)).record.docstatus, 1)
  })

  test('to a document that was cancelled since then refuses the submit, not the patch of another field', async () => {
    const id = await invoice('submitted')
    const pay = await payment({ invoice: id })
    await workspace.cancel('Invoice', id)
    await workspace.update('Payment', pay, { party_type: 'Person' })
    await invalid(['invoice'], workspace.submit('Payment', pay))
  })

  test('to a row names a row of that table', async () => {
    const id = await invoice('submitted', { lines: [{ text: 'a' }] })
    const { record } = await workspace.get('Invoice', id)
    const [{ row_id }] = record.lines as [{ row_id: string }]
    await payment({ invoice_line: row_id })
    await invalid(['invoice_line'], payment({ invoice_line: id }))
  })

  test('that is dynamic names a record of the DocType beside it', async () => {
    const nick = await person()
    await payment({ party_type: 'Person', party: nick })
    await invalid(['party'], payment({ party_type: 'Invoice', party: nick }))
    await invalid(['party'], payment({ party: nick }))
    const id = await payment({ party_type: 'Person', party: nick })
    await invalid(['party'], workspace.update('Payment', id, { party_type: 'Invoice' }))
  })

  test('holds a record back from deletion, and tells who holds it', async () => {
    const nick = await person()
    const id = await invoice('draft', { person: nick })
    const error = await refused('CONFLICT', workspace.remove('Person', nick))
    assert.equal(error.linked, [{ resource: 'invoices', doctype: 'Invoice', id, field: 'person' }])
    assert.is(error.details?.length, 1)
    await workspace.update('Invoice', id, { person: null })
    await workspace.remove('Person', nick)
  })

  test('in a row, a dynamic one, one to its rows and one from its own kind hold it back too', async () => {
    const [helper, party, boss] = [await person(), await person(), await person()]
    await invoice('draft', { lines: [{ helper }] })
    await payment({ party_type: 'Person', party })
    await workspace.create('Person', { nick: 'servant', boss })
    const lined = await invoice('submitted', { lines: [{ text: 'a' }] })
    const { record } = await workspace.get('Invoice', lined)
    const [{ row_id }] = record.lines as [{ row_id: string }]
    await payment({ invoice_line: row_id }, true)
    for (const [nick, field] of [
      [helper, 'lines.helper'],
      [party, 'party'],
      [boss, 'boss'],
    ]) {
      const error = await refused('CONFLICT', workspace.remove('Person', nick!))
      assert.equal(
        error.linked?.map((one) => one.field),
        [field],
      )
    }
    const error = await refused('CONFLICT', workspace.cancel('Invoice', lined))
    assert.is(error.linked?.[0]?.field, 'invoice_line')
  })

  test('to itself does not hold a record back', async () => {
    const nick = await person()
    await workspace.update('Person', nick, { boss: nick })
    await workspace.remove('Person', nick)
  })

  test('from a submitted document blocks the cancel, from a draft or cancelled one it does not', async () => {
    const id = await invoice('submitted')
    const draft = await payment({ invoice: id })
    const submitted = await payment({ parts: [{ invoice: id }] }, true)
    const error = await refused('CONFLICT', workspace.cancel('Invoice', id))
    assert.equal(error.linked, [
      { resource: 'payments', doctype: 'Payment', id: submitted, field: 'parts.invoice' },
    ])
    await workspace.cancel('Payment', submitted)
    await workspace.cancel('Invoice', id)
    const left = await refused('CONFLICT', workspace.remove('Invoice', id))
    assert.equal(left.linked?.map((one) => one.id).toSorted(), [draft, submitted].toSorted())
  })

  test('that races with the deletion of its target never ends up pointing nowhere', async () => {
    for (let round = 0; round < 15; round += 1) {
      const nick = await person()
      const makers = Array.from({ length: 6 }, () => workspace.create('Invoice', { person: nick }))
      const outcomes = await Promise.allSettled([...makers, workspace.remove('Person', nick)])
      const gone = outcomes.at(-1)!.status === 'fulfilled'
      const { total } = await workspace.list('Invoice', { person: nick })
      assert.ok(!gone || total === 0, `round ${round}: ${total} invoices name a deleted person`)
    }
  })

  test('that races with the cancel of its target is never submitted on a cancelled one', async () => {
    for (let round = 0; round < 15; round += 1) {
      const id = await invoice('submitted')
      const payments = await Promise.all(Array.from({ length: 6 }, () => payment({ invoice: id })))
      const submits = payments.map((pay) => workspace.submit('Payment', pay))
      const outcomes = await Promise.allSettled([...submits, workspace.cancel('Invoice', id)])
      const cancelled = outcomes.at(-1)!.status === 'fulfilled'
      const { total } = await workspace.list('Payment', { invoice: id, docstatus: '1' })
      assert.ok(!cancelled || total === 0, `round ${round}: ${total} on a cancelled invoice`)
    }
  })
})
