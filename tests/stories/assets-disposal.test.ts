import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

/** Assets leave the books: scrapped and put back, sold with a loss and with a gain. */
forEachDatabase('assets that are disposed of', ({ test, fresh }) => {
  let story: Story
  let press: Shown
  let van: Shown

  test.before(async () => {
    story = await openStory(await fresh())
    await story.create('Asset Category', { asset_category_name: 'Vehicles' })
    await story.create('Item', { item_code: 'USED', item_name: 'Used thing', is_stock_item: false })
    await story.create('Customer', { customer_name: 'Blue Whale' })
    press = await story.make('Asset', {
      asset_name: 'Press',
      purchase_date: '2026-01-01',
      gross_purchase_amount: 12_400,
      calculate_depreciation: true,
      finance_books: [
        {
          total_number_of_depreciations: 12,
          frequency_of_depreciation: 1,
          expected_value_after_useful_life: 400,
        },
      ],
    })
    van = await story.make('Asset', {
      asset_name: 'Van',
      asset_category: 'Vehicles',
      is_existing_asset: true,
      purchase_date: '2025-07-01',
      gross_purchase_amount: 24_000,
      opening_accumulated_depreciation: 6000,
      opening_number_of_booked_depreciations: 6,
      calculate_depreciation: true,
      finance_books: [
        {
          total_number_of_depreciations: 24,
          frequency_of_depreciation: 1,
          depreciation_start_date: '2026-03-31',
        },
      ],
    })
    story.clock.time = Date.parse('2026-05-20T09:00:00.000Z')
  })
  test.after(() => story.close())

  const asset = (id: string): Promise<Shown> => story.get('Asset', id)

  test('an asset has to be depreciated up to the day before it goes', async () => {
    assert.is(press.next_depreciation_date, '2026-01-31')
    await refusedFor(
      'disposal_date',
      'has to be booked before 2026-05-20',
      story.act('Asset', press.id, 'scrap'),
    )
    await story.tick()
    // January to April: 4 × (12,400 − 400) / 12
    press = await asset(press.id)
    assert.equal([press.booked_depreciation, press.value_after_depreciation], [4000, 8400])
    // March and April: 2 × (24,000 − 6,000) / 18
    van = await asset(van.id)
    assert.equal(
      [van.booked_depreciation, van.accumulated_depreciation, van.value_after_depreciation],
      [2000, 8000, 16_000],
    )
    const future = story.act('Asset', press.id, 'scrap', { scrap_date: '2026-05-21' })
    await refusedFor('disposal_date', 'must not be after today, 2026-05-20', future)
    const past = story.act('Asset', press.id, 'scrap', { scrap_date: '2026-04-29' })
    await refusedFor('disposal_date', 'depreciated beyond', past)
  })

  test('what is scrapped is depreciated for its last days, and the rest is lost', async () => {
    const scrapped = await story.act('Asset', press.id, 'scrap', { reason: 'Broken frame' })
    assert.equal(
      [scrapped.status, scrapped.scrap_date, scrapped.value_after_depreciation],
      ['Scrapped', '2026-05-20', 0],
    )
    // 20 of the 31 days of May: 645.16; 8,400 − 645.16 is lost
    assert.equal(await story.books(scrapped.journal_entry_for_scrap), {
      Depreciation: 645.16,
      'Accumulated Depreciation': 4000,
      'Gain and Loss on Disposal': 7754.84,
      'Fixed Assets': -12_400,
    })
    assert.ok((await story.events(press.id)).includes('scrapped'))
    story.clock.time = Date.parse('2026-06-01T09:00:00.000Z')
    await story.tick()
    assert.is((await asset(press.id)).booked_depreciation, 4000)
    await refusedAsConflict(story.act('Asset', press.id, 'scrap'))
    await refusedAsConflict(
      story.cancel('Journal Entry', scrapped.journal_entry_for_scrap as string),
    )
  })

  test('what is restored is back with its value, and depreciated for the time between', async () => {
    const { journal_entry_for_scrap: entry } = await asset(press.id)
    const restored = await story.act('Asset', press.id, 'restore')
    assert.equal(
      [restored.status, restored.value_after_depreciation, restored.scrap_date],
      ['Partially Depreciated', 8400, null],
    )
    const [reversal] = await story
      .all('Journal Entry', { voucher_type: 'Asset Disposal' })
      .then((all) => all.filter(({ reversal_of }) => reversal_of === entry))
    assert.equal(await story.books(entry, reversal!.id), {})
    await story.tick()
    assert.is((await asset(press.id)).value_after_depreciation, 7400)
    assert.equal(await story.differences(), [])
  })

  test('a sale is invoiced, and the price meets what it was still worth', async () => {
    const [customer] = await story.all('Customer')
    const sale = { customer: customer!.id, selling_amount: 15_500, item_code: 'USED' }
    const late = story.act('Asset', van.id, 'sell', { ...sale, sale_date: '2026-05-10' })
    await refusedFor('disposal_date', 'depreciated beyond', late)
    const sold = await story.act('Asset', van.id, 'sell', { ...sale, sale_date: '2026-06-01' })
    assert.equal(
      [sold.status, sold.disposal_date, sold.value_after_depreciation],
      ['Sold', '2026-06-01', 0],
    )
    // Booked until May: 15,000 left; one of the thirty days of June: 33.33
    const { 'Gain and Loss on Disposal': loss, ...books } = await story.books(
      sold.sales_invoice,
      sold.journal_entry_for_scrap,
    )
    assert.equal(books, {
      Debtors: 15_500,
      Depreciation: 33.33,
      'Accumulated Depreciation': 9000,
      'Fixed Assets': -24_000,
    })
    // 15,000 − 33.33 − 15,500
    assert.is(loss, -533.33)
    const invoice = await story.get('Sales Invoice', sold.sales_invoice)
    assert.equal([invoice.grand_total, invoice.status], [15_500, 'Unpaid'])
    await refusedAsConflict(story.cancel('Sales Invoice', invoice.id))
    assert.ok((await story.events(van.id)).includes('sold'))

    await story.act('Asset', van.id, 'restore')
    await story.cancel('Sales Invoice', invoice.id)
    assert.equal(
      [(await asset(van.id)).status, (await asset(van.id)).value_after_depreciation],
      ['Partially Depreciated', 15_000],
    )
    assert.equal(await story.differences(), [])
  })

  test('an asset under construction comes on its account when it is put into use', async () => {
    await story.create('Asset Category', {
      asset_category_name: 'Buildings',
      enable_cwip_accounting: true,
      non_depreciable_category: true,
    })
    const body = {
      asset_name: 'Shed',
      asset_category: 'Buildings',
      gross_purchase_amount: 7000,
      purchase_date: '2026-05-01',
    }
    await refusedFor(
      'calculate_depreciation',
      'keep their value',
      story.create('Asset', { ...body, calculate_depreciation: true }),
    )
    const shed = await story.make('Asset', body)
    assert.equal(await story.books(shed.id), {
      'Fixed Assets': 7000,
      'Assets Under Construction': -7000,
    })
    await story.cancel('Asset', shed.id)
    assert.equal(await story.books(shed.id), {})
    assert.equal(await story.differences(), [])
  })
})
