import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { eventsOf, invalid, openWorkspace, refused, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Order
module: sales
tier: free
naming: "ORD-{###}"
fields:
  title: {type: data, required: true, filterable: true}
  code: {type: data, unique: true}
  channel: {type: select, options: [Web, Shop]}
  origin: {type: data, createOnly: true}
  discount: {type: percent}
  due: {type: date}
  email: {type: email}
  count: {type: int, min: 1, max: 9}
  shipped: {type: check}
  extra: {type: json}
  total: {type: currency, formula: "lines.sum(l, l.qty * l.rate)"}
  seen: {type: data, readOnly: true}
  lines:
    type: table
    options: Order Line
    max: 3
    fields:
      article: {type: data, required: true}
      qty: {type: float, required: true, min: 0}
      rate: {type: float}
      place: {type: data, createOnly: true}
      amount: {type: currency, formula: "qty * rate"}
`

forEachDatabase('the body of a write', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
  })
  test.after(() => workspace.close())

  const order = (more: object = {}): Promise<{ id: string; record: Record<string, unknown> }> =>
    workspace.create('Order', { title: 'x', ...more }) as never

  test('is told all its problems at once, rows by their path', async () => {
    const body = {
      channel: 'Fax',
      discount: 101,
      due: '2026-02-30',
      email: 'ann',
      count: 10,
      shipped: 'yes',
      total: 5,
      seen: 'x',
      modified: '2026-01-01T00:00:00.000Z',
      tittle: 'x',
      lines: [
        { article: 'a', qty: 1 },
        { qty: -1, amount: 2 },
        { article: 'c', qty: 'many', row_id: 'x' },
      ],
    }
    const error = await invalid(
      [
        'title',
        'channel',
        'discount',
        'due',
        'email',
        'count',
        'shipped',
        'total',
        'seen',
        'modified',
        'tittle',
        'lines[1].article',
        'lines[1].qty',
        'lines[1].amount',
        'lines[2].qty',
        'lines[2].row_id',
      ],
      workspace.create('Order', body),
    )
    assert.is(error.status, 422)
    const said = new Map(error.details?.map(({ field, message }) => [field, message]))
    assert.match(said.get('title') ?? '', /required/)
    assert.match(said.get('total') ?? '', /read-only/)
    assert.match(said.get('modified') ?? '', /standard field/)
    assert.match(said.get('tittle') ?? '', /unknown field; did you mean title/)
    assert.match(said.get('channel') ?? '', /Web, Shop.*"Fax"/)
    assert.match(said.get('lines[2].qty') ?? '', /number.*"many"/)
  })

  test('is refused when there is none', async () => {
    await refused('BAD_REQUEST', workspace.create('Order', undefined))
    await refused('BAD_REQUEST', workspace.update('Order', 'ORD-001', undefined))
  })

  for (const body of [null, [], 'x', 1, true]) {
    test(`is refused when it is no object but ${JSON.stringify(body)}`, async () => {
      await refused('VALIDATION_ERROR', workspace.create('Order', body))
      await refused('VALIDATION_ERROR', workspace.update('Order', 'ORD-001', body))
    })
  }

  test('has no standard field, in any spelling of the surface', async () => {
    for (const field of [
      'id',
      'name',
      'created',
      'modified',
      'owner',
      'modified_by',
      'docstatus',
      'amended_from',
    ])
      await invalid([field], order({ [field]: 'x' }))
  })

  test('cannot reach the prototype of anything', async () => {
    const body = JSON.parse('{"title":"x","__proto__":{"seen":"x"},"constructor":1,"toString":2}')
    await invalid(['__proto__', 'constructor', 'toString'], workspace.create('Order', body))
    const row = JSON.parse('{"article":"a","qty":1,"__proto__":{"rate":1}}')
    await invalid(['lines[0].__proto__'], order({ lines: [row] }))
  })

  test('sets a createOnly field once', async () => {
    const { id } = await order({ origin: 'here', lines: [{ article: 'a', qty: 1, place: 'left' }] })
    const { record } = await workspace.get('Order', id)
    assert.is(record.origin, 'here')
    await invalid(['origin'], workspace.update('Order', id, { origin: 'there' }))
    const rows = record.lines as { row_id: string }[]
    await invalid(
      ['lines[0].place'],
      workspace.update('Order', id, {
        lines: [{ row_id: rows[0]!.row_id, article: 'a', qty: 1, place: 'right' }],
      }),
    )
  })

  test('unsets with null or empty text, but not what is required', async () => {
    const { id } = await order({ code: 'unset', due: '2026-01-01', channel: 'Web' })
    const { record } = await workspace.update('Order', id, { code: null, due: '', channel: null })
    assert.equal([record.code, record.due, record.channel], [null, null, null])
    await invalid(['title'], workspace.update('Order', id, { title: null }))
    await invalid(['title'], workspace.update('Order', id, { title: '' }))
    await invalid(['title'], workspace.create('Order', { title: '' }))
  })

  test('leaves alone what it does not name', async () => {
    const { id, record } = await order({ code: 'kept', lines: [{ article: 'a', qty: 2, rate: 3 }] })
    const after = await workspace.update('Order', id, { channel: 'Shop' })
    assert.equal({ ...after.record, channel: null }, { ...record, modified: after.record.modified })
  })

  test('may not take a unique value that another record has: 409, and nothing is written', async () => {
    const first = await order({ code: 'same' })
    const error = await refused('CONFLICT', order({ code: 'same' }))
    assert.equal(error.details, [{ field: 'code', message: 'must be unique', code: 'not_unique' }])
    const { id } = await order({ code: 'other' })
    await refused('CONFLICT', workspace.update('Order', id, { code: 'same' }))
    assert.is((await workspace.get('Order', id)).record.code, 'other')
    assert.equal(await eventsOf(workspace, id), ['created'])
    await workspace.update('Order', first.id, { code: 'same' })
    await Promise.all([order(), order()])
  })

  test('two that race for one unique value: one wins, one gets 409', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => order({ code: 'raced' })),
    )
    const refusals = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    assert.equal(
      refusals.map(({ code }) => code),
      Array(7).fill('CONFLICT'),
    )
  })

  test('keeps numbers exactly and refuses what cannot be kept so', async () => {
    const { id } = await order({ lines: [{ article: 'a', qty: 0.1, rate: 1 }] })
    assert.is((await workspace.get('Order', id)).record.total, 0.1)
    for (const qty of [0.1234567, 1e15, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53 + 2])
      await invalid(['lines[0].qty'], order({ lines: [{ article: 'a', qty }] }))
    await invalid(['count'], order({ count: 1.5 }))
    await invalid(['count'], order({ count: '1' }))
  })

  test('has at most as many rows as the table takes', async () => {
    const lines = Array.from({ length: 4 }, () => ({ article: 'a', qty: 1 }))
    const error = await invalid(['lines'], order({ lines }))
    assert.match(error.message, /at most 3 rows/)
    await invalid(['lines'], order({ lines: {} }))
    await invalid(['lines[0]'], order({ lines: [1] }))
  })

  test('takes any JSON where the field is json', async () => {
    for (const extra of [{ a: [1, { b: null }] }, [], 'text', 0, false]) {
      const { id } = await order({ extra })
      assert.equal((await workspace.get('Order', id)).record.extra, extra)
    }
  })

  test('refuses text no database can keep', async () => {
    await invalid(['title'], order({ title: 'a\0b' }))
    await invalid(['title'], order({ title: '\ud800' }))
    await invalid(['title'], order({ title: 'a\nb' }))
    await invalid(['title'], order({ title: 'x'.repeat(141) }))
    assert.is((await order({ title: '😀'.repeat(140) })).record.title, '😀'.repeat(140))
  })
})
