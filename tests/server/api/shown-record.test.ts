import * as assert from 'uvu/assert'
import { shownRecord } from '../../../server/api/shown-record.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openShop, type Shop } from './list-shop.ts'

const STANDARD = {
  owner: 'Administrator',
  creation: '2026-03-09 12:00:01.000000',
  modified: '2026-03-09 12:00:01.000000',
  modified_by: 'Administrator',
  docstatus: 0,
}

forEachDatabase('a record on surface A', ({ test, create }) => {
  let shop: Shop
  test.before(async () => {
    shop = await openShop(await create())
  })
  test.after(() => shop?.close())

  test('has its standard fields and those of its rows by the names of Frappe', async () => {
    const body = {
      note: 'x',
      urgent: true,
      code: 'hidden',
      taxes: [{ title: 'A' }, { title: 'B' }],
    }
    const [made] = await shop.fill('Purchase Note', [body])
    const { record, id } = made!
    const shown = shownRecord(shop.definition('Purchase Note'), record, { omitUnset: true })
    const rowIds = (record.taxes as { row_id: string }[]).map(({ row_id }) => row_id)
    const ofRow = { ...STANDARD, parent: id, parentfield: 'taxes', parenttype: 'Purchase Note' }
    assert.equal(shown, {
      ...STANDARD,
      name: id,
      idx: 0,
      doctype: 'Purchase Note',
      note: 'x',
      urgent: 1,
      items: [],
      extras: [],
      taxes: [
        { ...ofRow, doctype: 'Purchase Note Tax', name: rowIds[0], idx: 1, title: 'A' },
        { ...ofRow, doctype: 'Purchase Note Tax', name: rowIds[1], idx: 2, title: 'B' },
      ],
    })
  })

  test('keeps unset fields unless they are to be left out, and never shows a secret', async () => {
    const [made] = await shop.fill('Buyer', [{ title: 'Ann', pin: '1234' }])
    const shown = shownRecord(shop.definition('Buyer'), made!.record)
    assert.equal(
      [shown.region, shown.credit, 'pin' in shown, 'id' in shown, 'amended_from' in shown],
      [null, null, false, false, false],
    )
    assert.is(shown.docstatus, 0)
  })

  test('is what a list of all its fields shows', async () => {
    const [made] = await shop.fill('Purchase Note', [
      { note: 'same', at: '2026-03-01T10:00:00Z', extra: { a: [1] }, amount: 0.5, hour: '09:00' },
    ])
    const [row] = await shop.rows('Purchase Note', { fields: '*', filters: { name: made!.id } })
    const { items, extras, taxes, doctype, ...shown } = shownRecord(
      shop.definition('Purchase Note'),
      made!.record,
    )
    assert.equal(row, shown)
    assert.equal([items, extras, taxes, doctype], [[], [], [], 'Purchase Note'])
  })
})
