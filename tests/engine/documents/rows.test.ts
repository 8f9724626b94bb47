import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { invalid, openWorkspace, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Order
module: sales
tier: free
naming: "ORD-{###}"
fields:
  title: {type: data}
  lines:
    type: table
    options: Order Line
    min: 1
    fields:
      article: {type: data, required: true}
      qty: {type: float, default: 1}
      note: {type: data}
      place: {type: data, createOnly: true}
  extras:
    type: table
    options: Order Extra
    fields:
      text: {type: data}
`

interface Line {
  readonly row_id: string
  readonly article: string
  readonly qty: number
  readonly note: string | null
  readonly place: string | null
}

forEachDatabase('rows of a document', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
  })
  test.after(() => workspace.close())

  async function order(...articles: string[]): Promise<{ id: string; lines: readonly Line[] }> {
    const lines = articles.map((article) => ({ article, qty: 2, note: 'n', place: 'p' }))
    const { id, record } = await workspace.create('Order', { lines })
    return { id, lines: record.lines as readonly Line[] }
  }
  async function replace(id: string, lines: readonly object[]): Promise<readonly Line[]> {
    const { record, json } = await workspace.update('Order', id, { lines })
    assert.is((await workspace.get('Order', id)).json, json)
    return record.lines as readonly Line[]
  }

  test('have ids that differ, and the order they were sent in', async () => {
    const { lines } = await order('a', 'b', 'c')
    assert.equal(
      lines.map(({ article }) => article),
      ['a', 'b', 'c'],
    )
    assert.is(new Set(lines.map(({ row_id }) => row_id)).size, 3)
  })

  test('sent with their row_id are kept, with what was not sent, createOnly too', async () => {
    const { id, lines } = await order('a', 'b')
    const [a, b] = lines
    const after = await replace(id, [{ row_id: a!.row_id, qty: 5 }, { row_id: b!.row_id }])
    assert.equal(after, [{ ...a!, qty: 5 }, b!])
  })

  test('sent in another order change places, and keep their ids', async () => {
    const { id, lines } = await order('a', 'b', 'c')
    const turned = lines.toReversed().map(({ row_id }) => ({ row_id }))
    assert.equal(await replace(id, turned), lines.toReversed())
  })

  test('left out are gone, new ones come between', async () => {
    const { id, lines } = await order('a', 'b', 'c')
    const after = await replace(id, [
      { article: 'first' },
      { row_id: lines[2]!.row_id },
      { article: 'last' },
    ])
    assert.equal(
      after.map(({ article }) => article),
      ['first', 'c', 'last'],
    )
    assert.is(after[1]!.row_id, lines[2]!.row_id)
    assert.is(after[0]!.qty, 1, 'a new row gets its default')
    const known = new Set(lines.map(({ row_id }) => row_id))
    assert.not.ok(known.has(after[0]!.row_id) || known.has(after[2]!.row_id))
  })

  test('sent without row_id replace the old ones', async () => {
    const { id, lines } = await order('a')
    const [after] = await replace(id, [{ article: 'a' }])
    assert.is.not(after!.row_id, lines[0]!.row_id)
    assert.equal([after!.note, after!.qty], [null, 1])
  })

  test('with an unknown row_id, one of another document or the same twice are refused', async () => {
    const { id, lines } = await order('a', 'b')
    const other = await order('a')
    const row_id = lines[0]!.row_id
    await invalid(['lines[0].row_id'], replace(id, [{ row_id: 'nothing', article: 'a' }]))
    await invalid(['lines[0].row_id'], replace(id, [{ row_id: other.lines[0]!.row_id }]))
    await invalid(['lines[1].row_id'], replace(id, [{ row_id }, { row_id, qty: 3 }]))
    await invalid(['lines[0].row_id'], replace(id, [{ row_id: 7, article: 'a' }]))
    await invalid(
      ['lines[0].row_id'],
      workspace.create('Order', { lines: [{ row_id, article: 'a' }] }),
    )
    assert.equal((await workspace.get('Order', id)).record.lines, lines)
  })

  test('all wrong row_ids are named at once', async () => {
    const { id } = await order('a')
    await invalid(
      ['lines[0].row_id', 'lines[1].row_id'],
      replace(id, [
        { row_id: 'x', article: 'a' },
        { row_id: 'y', article: 'b' },
      ]),
    )
  })

  test('that the change does not name stay', async () => {
    const { id, lines } = await order('a', 'b')
    const { record } = await workspace.update('Order', id, { title: 'x', extras: [{ text: 't' }] })
    assert.equal(record.lines, lines)
    assert.equal((record.extras as unknown[]).length, 1)
    await invalid(['extras'], workspace.update('Order', id, { extras: null }))
    const { record: emptied } = await workspace.update('Order', id, { extras: [] })
    assert.equal(emptied.extras, [])
  })

  test('are at least as many as the table asks for', async () => {
    await invalid(['lines'], workspace.create('Order', {}))
    await invalid(['lines'], workspace.create('Order', { lines: [] }))
    await invalid(['lines'], workspace.create('Order', { lines: null }))
    const { id } = await order('a')
    await invalid(['lines'], replace(id, []))
    await invalid(['lines'], workspace.update('Order', id, { lines: null }))
  })

  test('of a new row need what is required', async () => {
    const { id, lines } = await order('a')
    await invalid(['lines[1].article'], replace(id, [{ row_id: lines[0]!.row_id }, { qty: 1 }]))
    await invalid(['lines[0].article'], replace(id, [{ row_id: lines[0]!.row_id, article: null }]))
  })

  test('change, come and go one by one, where a table is sent as changes', async () => {
    const { id, lines } = await order('a', 'b', 'c')
    const [a, b, c] = lines
    const changed = async (changes: object): Promise<readonly Line[]> => {
      const { record, json } = await workspace.update('Order', id, { lines: changes })
      assert.is((await workspace.get('Order', id)).json, json)
      return record.lines as readonly Line[]
    }
    const after = await changed({
      add: [{ article: 'd' }],
      update: [{ row_id: c!.row_id, qty: 5 }],
      remove: [a!.row_id],
    })
    assert.equal(after.slice(0, 2), [b, { ...c!, qty: 5 }])
    assert.equal([after[2]!.article, after[2]!.qty, after.length], ['d', 1, 3])
    assert.equal(await changed({}), after)
    assert.equal(await changed({ remove: [b!.row_id] }), after.slice(1))
  })

  test('that cannot be changed so are named where they were sent', async () => {
    const { id, lines } = await order('a', 'b')
    const [a, b] = lines.map(({ row_id }) => row_id)
    const bad = (fields: readonly string[], changes: object) =>
      invalid(fields, workspace.update('Order', id, { lines: changes }))
    await bad(['lines.update[0].row_id'], { update: [{ row_id: 'x', qty: 1 }] })
    await bad(['lines.update[0].row_id'], { update: [{ qty: 1 }] })
    await bad(['lines.update[0].row_id'], { update: [{ row_id: a, qty: 1 }], remove: [a] })
    await bad(['lines.update[1].row_id'], { update: [{ row_id: a }, { row_id: a, qty: 1 }] })
    await bad(['lines.remove[0]', 'lines.remove[2]'], { remove: ['x', a, a] })
    await bad(['lines.remove[0]'], { remove: [7] })
    await bad(['lines.add[0].row_id'], { add: [{ row_id: a, article: 'a' }] })
    await bad(['lines.more', 'lines.add'], { more: [], add: {} })
    await bad(['lines.add[1].qty', 'lines.update[0].place', 'lines.add[1].aritcle'], {
      add: [{ article: 'x' }, { aritcle: 'y', qty: 'many' }],
      update: [{ row_id: a, place: 'elsewhere' }],
    })
    await bad(['lines'], { remove: [a, b] })
    await bad(['lines'], 'none' as unknown as object)
    await invalid(['lines'], workspace.create('Order', { lines: { add: [{ article: 'a' }] } }))
    assert.equal((await workspace.get('Order', id)).record.lines, lines)
  })
})
