import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabase('a month of purchasing', ({ test, fresh }) => {
  let story: Story
  let request: Shown
  let rfq: Shown
  let dear: Shown
  let order: Shown
  const receipts: string[] = []

  test.before(async () => {
    story = await openHttpStory(await fresh())
    await story.create('Warehouse', { warehouse_name: 'Blocked', warehouse_type: 'Rejected' })
    for (const supplier_name of ['Iron Ltd', 'Timber Co', 'Zinc Works'])
      await story.create('Supplier', { supplier_name })
    await story.create('Quality Inspection Template', {
      quality_inspection_template_name: 'Sheet metal',
      item_quality_inspection_parameter: [
        { specification: 'Thickness', min_value: 1.9, max_value: 2.1 },
        { specification: 'Surface', numeric: false, value: 'clean' },
      ],
    })
    await story.create('Item', {
      item_code: 'STEEL',
      item_name: 'Steel sheet',
      standard_buying_rate: 12,
      inspection_required_before_purchase: true,
      quality_inspection_template: 'Sheet metal',
    })
    await story.create('Item', {
      item_code: 'BOLT',
      item_name: 'Bolt M8',
      standard_buying_rate: 0.5,
    })
    // 10 sheets at 11: 110.
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [{ item_code: 'STEEL', qty: 10, basic_rate: 11 }],
    })
  })
  test.after(() => story.close())

  const suppliers = async (): Promise<Readonly<Record<string, string>>> =>
    Object.fromEntries(
      (await story.all('Supplier')).map(({ id, supplier_name }) => [supplier_name, id]),
    )
  const steel = async (): Promise<readonly number[]> => {
    const bin = await story.get('Bin', 'STEEL::Stores')
    return [bin.actual_qty, bin.indented_qty, bin.ordered_qty, bin.projected_qty, bin.stock_value]
  }
  const progress = async (): Promise<readonly unknown[]> => {
    const { status, per_ordered, per_received } = await story.get('Material Request', request.id)
    return [status, per_ordered, per_received]
  }

  test('9 March: 100 sheets and 500 bolts are needed', async () => {
    request = await story.make('Material Request', {
      schedule_date: '2026-03-23',
      set_warehouse: 'Stores',
      items: [
        { item_code: 'STEEL', qty: 100 },
        { item_code: 'BOLT', qty: 500 },
      ],
    })
    // 100 × 12 + 500 × 0.5 at the usual prices.
    assert.equal(
      [request.status, request.total_qty, request.total_amount, request.items[0].schedule_date],
      ['Pending', 600, 1450, '2026-03-23'],
    )
    assert.equal(await story.events(request.id), ['created', 'submitted'])
    // 10 there and 100 requested.
    assert.equal(await steel(), [10, 100, 0, 110, 110])
  })

  test('two suppliers are asked what that costs', async () => {
    const by = await suppliers()
    const draft = await story.draftOf(
      'Material Request',
      request.id,
      'make_request_for_quotation',
      { supplier: by['Timber Co'] },
    )
    await refusedFor(
      'suppliers[1].supplier',
      'asked once',
      story.update('Request for Quotation', draft.id, {
        suppliers: [{ supplier: by['Timber Co'] }, { supplier: by['Timber Co'] }],
      }),
    )
    await story.update('Request for Quotation', draft.id, {
      suppliers: [{ supplier: by['Timber Co'] }, { supplier: by['Iron Ltd'] }],
    })
    rfq = await story.submit('Request for Quotation', draft.id)
    assert.equal(
      rfq.suppliers.map(({ supplier_name, quote_status }: Shown) => [supplier_name, quote_status]),
      [
        ['Timber Co', 'Pending'],
        ['Iron Ltd', 'Pending'],
      ],
    )
  })

  /** The quotation of a supplier at these prices of a sheet and a bolt. */
  const quoted = async (supplier: string, steelRate: number, boltRate: number): Promise<Shown> => {
    const draft = await story.draftOf('Request for Quotation', rfq.id, 'make_supplier_quotation', {
      supplier,
    })
    await story.update('Supplier Quotation', draft.id, {
      taxes_and_charges: 'Input VAT 20 %',
      items: draft.items.map(({ row_id, item_code }: Shown) => ({
        row_id,
        rate: item_code === 'STEEL' ? steelRate : boltRate,
      })),
    })
    return story.submit('Supplier Quotation', draft.id)
  }

  test('12 March: both answer, the second one is cheaper', async () => {
    story.clock.time = Date.parse('2026-03-12T08:00:00.000Z')
    const by = await suppliers()
    dear = await quoted(by['Timber Co']!, 12.5, 0.4)
    // 100 × 12.50 + 500 × 0.40 = 1,450, and 20 % of it.
    assert.equal([dear.net_total, dear.grand_total, dear.valid_till], [1450, 1740, '2026-04-11'])
    const half = await story.get('Request for Quotation', rfq.id)
    assert.equal(
      half.suppliers.map(({ quote_status }: Shown) => quote_status),
      ['Received', 'Pending'],
    )
    await refusedFor(
      'supplier',
      'was not asked',
      story.draftOf('Request for Quotation', rfq.id, 'make_supplier_quotation', {
        supplier: by['Zinc Works'],
      }),
    )
    const cheap = await quoted(by['Iron Ltd']!, 11.8, 0.45)
    // 100 × 11.80 + 500 × 0.45 = 1,405.
    assert.equal([cheap.net_total, cheap.grand_total], [1405, 1686])
    assert.equal(await story.events(rfq.id), [
      'created',
      'updated',
      'submitted',
      'updated',
      'updated',
      'answered',
    ])
    await story.act('Supplier Quotation', dear.id, 'stop')
    assert.is((await story.get('Supplier Quotation', dear.id)).status, 'Stopped')
    await refusedAsConflict(story.act('Supplier Quotation', dear.id, 'make_purchase_order'))

    const draft = await story.draftOf('Supplier Quotation', cheap.id, 'make_purchase_order')
    order = await story.submit('Purchase Order', draft.id)
    assert.equal([order.grand_total, order.status], [1686, 'To Receive and Bill'])
    assert.equal(await progress(), ['Ordered', 100, 0])
    assert.equal(
      [(await story.get('Supplier Quotation', cheap.id)).per_ordered, await steel()],
      [100, [10, 0, 100, 110, 110]],
    )
    await refusedAsConflict(
      story.act('Material Request', request.id, 'make_purchase_order', {
        supplier: by['Iron Ltd'],
      }),
    )
    await refusedAsConflict(story.cancel('Material Request', request.id))
  })

  test('20 March: 60 sheets and the bolts come; a scratched sample does not pass', async () => {
    story.clock.time = Date.parse('2026-03-20T08:00:00.000Z')
    const draft = await story.draftOf('Purchase Order', order.id, 'make_receipt')
    const [sheets, bolts] = draft.items
    await story.update('Purchase Receipt', draft.id, {
      items: [{ row_id: sheets.row_id, qty: 60 }, { row_id: bolts.row_id }],
    })
    await refusedFor(
      'items',
      'needs its quality inspection',
      story.submit('Purchase Receipt', draft.id),
    )
    const first = await story.draftOf('Purchase Receipt', draft.id, 'make_quality_inspections')
    assert.equal(
      [first.item_code, first.sample_size, first.reference_name, first.readings.length],
      ['STEEL', 60, draft.id, 2],
    )
    const [thickness, surface] = first.readings
    await story.update('Quality Inspection', first.id, {
      readings: [
        { row_id: thickness.row_id, reading_1: 2.05, reading_2: 1.95 },
        { row_id: surface.row_id, reading_value: 'scratched' },
      ],
    })
    const bad = await story.submit('Quality Inspection', first.id)
    assert.equal(
      [bad.status, ...bad.readings.map(({ status }: Shown) => status)],
      ['Rejected', 'Accepted', 'Rejected'],
    )
    assert.ok((await story.events(bad.id)).includes('rejected'))
    const inspected = (quality_inspection: string): object => ({
      items: [{ row_id: sheets.row_id, quality_inspection }, { row_id: bolts.row_id }],
    })
    await story.update('Purchase Receipt', draft.id, inspected(bad.id))
    await refusedFor('items', 'did not accept', story.submit('Purchase Receipt', draft.id))

    const good = await story.make('Quality Inspection', {
      inspection_type: 'Incoming',
      reference_type: 'Purchase Receipt',
      reference_name: draft.id,
      item_code: 'STEEL',
      sample_size: 5,
      readings: [
        { specification: 'Thickness', min_value: 1.9, max_value: 2.1, reading_1: 2 },
        { specification: 'Surface', numeric: false, value: 'clean', reading_value: 'clean' },
      ],
    })
    assert.is(good.status, 'Accepted')
    await story.update('Purchase Receipt', draft.id, inspected(good.id))
    const receipt = await story.submit('Purchase Receipt', draft.id)
    receipts.push(receipt.id)
    // 60 × 11.80 + 500 × 0.45 = 708 + 225.
    assert.equal(await story.books(receipt.id), {
      'Stock In Hand': 933,
      'Stock Received But Not Billed': -933,
    })
    // 110 + 708; 40 sheets are still to come.
    assert.equal(await steel(), [70, 0, 40, 110, 818])
    // 560 of 600.
    assert.equal(await progress(), ['Partially Received', 100, 93.333333])
  })

  test('27 March: the last 40 come, judged by eye', async () => {
    story.clock.time = Date.parse('2026-03-27T08:00:00.000Z')
    const draft = await story.draftOf('Purchase Order', order.id, 'make_receipt')
    assert.equal([draft.items.length, draft.items[0].qty], [1, 40])
    const { id } = await story.make('Quality Inspection', {
      inspection_type: 'Incoming',
      reference_type: 'Purchase Receipt',
      reference_name: draft.id,
      item_code: 'STEEL',
      sample_size: 1,
      quality_inspection_template: 'Sheet metal',
      manual_inspection: true,
      manual_status: 'Accepted',
    })
    await story.update('Purchase Receipt', draft.id, {
      items: [{ row_id: draft.items[0].row_id, quality_inspection: id }],
    })
    const receipt = await story.submit('Purchase Receipt', draft.id)
    receipts.push(receipt.id)
    // 818 + 40 × 11.80.
    assert.equal(await steel(), [110, 0, 0, 110, 1290])
    assert.equal(await progress(), ['Received', 100, 100])
    assert.ok((await story.events(request.id)).includes('received'))
    await refusedAsConflict(story.cancel('Quality Inspection', id))
  })

  test('30 March: the bills come and are paid', async () => {
    story.clock.time = Date.parse('2026-03-30T08:00:00.000Z')
    const bills: string[] = []
    for (const receipt of receipts) {
      const draft = await story.draftOf('Purchase Receipt', receipt, 'make_invoice')
      const bill = await story.submit('Purchase Invoice', draft.id)
      bills.push(bill.id)
      const payment = await story.draftOf('Purchase Invoice', bill.id, 'make_payment')
      await story.submit('Payment Entry', payment.id)
      bills.push(payment.id)
      assert.is((await story.get('Purchase Invoice', bill.id)).status, 'Paid')
    }
    // 933 + 472 = 1,405 of goods, and 20 % of each: 186.60 + 94.40 = 281.
    assert.equal(await story.books(...receipts, ...bills), {
      'Stock In Hand': 1405,
      'Input Tax': 281,
      Bank: -1686,
    })
    assert.is((await story.get('Purchase Order', order.id)).status, 'Completed')
  })

  test('April: what was not ordered expires', async () => {
    await story.act('Supplier Quotation', dear.id, 'reopen')
    assert.is((await story.get('Supplier Quotation', dear.id)).status, 'Submitted')
    story.clock.time = Date.parse('2026-04-12T08:00:00.000Z')
    await story.tick()
    assert.is((await story.get('Supplier Quotation', dear.id)).status, 'Expired')
    await refusedAsConflict(story.act('Supplier Quotation', dear.id, 'make_purchase_order'))
  })

  test('a cancelled receipt is still to come; svc verify finds nothing wrong', async () => {
    const again = await story.make('Material Request', {
      set_warehouse: 'Stores',
      items: [{ item_code: 'BOLT', qty: 100 }],
    })
    const bought = await story.draftOf('Material Request', again.id, 'make_purchase_order', {
      supplier: (await suppliers())['Iron Ltd'],
    })
    await story.submit('Purchase Order', bought.id)
    const draft = await story.draftOf('Purchase Order', bought.id, 'make_receipt')
    await story.submit('Purchase Receipt', draft.id)
    assert.is((await story.get('Material Request', again.id)).status, 'Received')
    await story.cancel('Purchase Receipt', draft.id)
    assert.is((await story.get('Material Request', again.id)).status, 'Ordered')
    await story.cancel('Purchase Order', bought.id)
    const open = await story.get('Material Request', again.id)
    assert.equal([open.status, open.items[0].ordered_qty], ['Pending', 0])

    await story.act('Material Request', again.id, 'stop')
    const bin = await story.get('Bin', 'BOLT::Stores')
    assert.equal([bin.indented_qty, bin.projected_qty], [0, 500])
    await story.act('Material Request', again.id, 'reopen')
    assert.is((await story.get('Bin', 'BOLT::Stores')).projected_qty, 600)
    assert.equal(await story.differences(), [])
  })
})
