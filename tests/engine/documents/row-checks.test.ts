import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, refused, type Workspace } from './workspace.ts'

const SHOP = `
doctype: Shop
module: setup
tier: free
naming: prompt
fields:
  tolerance: {type: percent}
  pin: {type: password}
---
doctype: Ware
module: stock
tier: free
naming: prompt
fields:
  tolerance: {type: percent}
---
doctype: Handover
module: sales
tier: free
submittable: true
naming: "H-{###}"
fields:
  rows:
    type: table
    fields:
      line: {type: link, options: Purchase.rows}
      qty: {type: float}
---
doctype: Handbook
module: setup
tier: free
naming: prompt
validate:
  - {each: keys, unique: [door, number], field: number, message: "key {number} of {door} stands there twice"}
fields:
  keys:
    type: table
    max: 2000
    fields:
      door: {type: data}
      number: {type: float}
---
doctype: Purchase
module: sales
tier: free
submittable: true
naming: "P-{###}"
validate:
  - each: rows
    check: done <= qty || done <= qty * (100 + max(ware.tolerance, shop.tolerance)) / 100
    field: done
    message: "{ware} of {parent.name}: at most {qty * (100 + max(ware.tolerance, shop.tolerance)) / 100}, not {done}"
  - each: rows
    check: old.qty == 0 || qty >= old.qty
    field: qty
    message: was {old.qty} before
    during: [create, submit]
fields:
  shop: {type: link, options: Shop}
  rows:
    type: table
    fields:
      ware: {type: link, options: Ware}
      qty: {type: float}
      done: {type: float, rollup: {from: Handover.rows, match: line, sum: qty, where: parent.docstatus == 1}}
`

forEachDatabase('a condition of each row', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), SHOP)
    await workspace.create('Shop', { name: 'S' })
    await workspace.create('Ware', { name: 'NAIL' })
    await workspace.create('Ware', { name: 'BEAM', tolerance: 12.5 })
  })
  test.after(() => workspace.close())

  const submitted = async (doctype: string, body: object) => {
    const { record } = await workspace.create(doctype, body)
    return (await workspace.submit(doctype, String(record.id))).record
  }
  const detailsOf = async (promise: Promise<unknown>) =>
    (await refused('VALIDATION_ERROR', promise)).details

  test('reads links of row and document as they are now, and names the row and its numbers', async () => {
    const bought = await submitted('Purchase', {
      shop: 'S',
      rows: [
        { ware: 'NAIL', qty: 8 },
        { ware: 'BEAM', qty: 8 },
      ],
    })
    const [nails, beams] = (bought.rows as { row_id: string }[]).map(({ row_id }) => row_id)
    await submitted('Handover', { rows: [{ line: nails, qty: 8 }] })
    const [first] = (await detailsOf(submitted('Handover', { rows: [{ line: nails, qty: 0.5 }] })))!
    assert.equal(first, {
      field: 'rows[0].done',
      message: `Purchase ${bought.id}: NAIL of ${bought.id}: at most 8, not 8.5`,
      code: 'rule',
    })
    // 8 and 12.5 %
    await submitted('Handover', { rows: [{ line: beams, qty: 9 }] })
    const [second] = (await detailsOf(submitted('Handover', { rows: [{ line: beams, qty: 1 }] })))!
    assert.match(second!.message, /BEAM of .*: at most 9, not 10$/)
    await workspace.update('Shop', 'S', { tolerance: 25 })
    await submitted('Handover', {
      rows: [
        { line: beams, qty: 1 },
        { line: nails, qty: 2 },
      ],
    })
    assert.equal(
      ((await workspace.get('Purchase', String(bought.id))).record.rows as { done: number }[]).map(
        ({ done }) => done,
      ),
      [10, 10],
    )
  })

  test('knows the row before the change, wherever it stands', async () => {
    const { record } = await workspace.create('Purchase', { rows: [{ qty: 5 }, { qty: 7 }] })
    const [five, seven] = record.rows as { row_id: string }[]
    await workspace.update('Purchase', String(record.id), {
      rows: [
        { row_id: seven!.row_id, qty: 7 },
        { row_id: five!.row_id, qty: 1 },
      ],
    })
    assert.is((await workspace.submit('Purchase', String(record.id))).record.docstatus, 1)
  })

  test('refuses rows that agree with one before them, each by its name', async () => {
    const front = { door: 'Front', number: 1 }
    const [first, second, ...more] = (await detailsOf(
      workspace.create('Handbook', {
        name: 'A',
        keys: [front, { ...front, number: 2 }, { door: 'Front', number: 1.0 }, {}, { door: '' }],
      }),
    ))!
    assert.equal(first, {
      field: 'keys[2].number',
      message: 'key 1 of Front stands there twice',
      code: 'not_unique',
    })
    assert.is(second!.field, 'keys[4].number')
    assert.equal(more, [])
    const { record } = await workspace.create('Handbook', {
      name: 'B',
      keys: [front, { ...front, number: 2 }],
    })
    const rows = record.keys as { row_id: string; number: number }[]
    const swapped = await workspace.update('Handbook', 'B', {
      keys: rows.map((row) => ({ row_id: row.row_id, door: 'Front', number: 3 - row.number })),
    })
    assert.equal(
      (swapped.record.keys as typeof rows).map(({ number }) => number),
      [2, 1],
    )
    const [again] = (await detailsOf(
      workspace.update('Handbook', 'B', { keys: [...rows, { door: 'Front', number: 2 }] }),
    ))!
    assert.is(again!.field, 'keys[2].number')
  })

  test('takes 2,000 rows that must differ', async () => {
    const keys = Array.from({ length: 2000 }, (_, number) => ({ door: 'Hall', number }))
    const { record } = await workspace.create('Handbook', { name: 'C', keys })
    assert.is((record.keys as unknown[]).length, 2000)
  })
})
