import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

/** A lathe is bought, depreciated, repaired and moved, all over HTTP. */
forEachDatabaseWhenDeep('assets', ({ test, fresh }) => {
  let story: Story
  let lathe: string
  let repair: Shown

  test.before(async () => {
    story = await openHttpStory(await fresh())
    for (const location_name of ['Hall A', 'Hall B'])
      await story.create('Location', { location_name })
    await story.create('Asset Category', {
      asset_category_name: 'Machines',
      finance_books: [{ total_number_of_depreciations: 12, frequency_of_depreciation: 1 }],
    })
    await story.create('Item', {
      item_code: 'LATHE',
      item_name: 'Lathe',
      is_stock_item: false,
      is_fixed_asset: true,
      asset_category: 'Machines',
      expense_account: 'Fixed Assets',
    })
    await story.create('Item', { item_code: 'BELT', item_name: 'Belt' })
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [{ item_code: 'BELT', qty: 5, basic_rate: 10 }],
    })
  })
  test.after(() => story.close())

  const asset = (): Promise<Shown> => story.get('Asset', lathe)
  /** Goes to a day of the story, and lets the workspace do its daily work. */
  const until = async (day: string): Promise<void> => {
    story.clock.time = Date.parse(`${day}T08:00:00.000Z`)
    await story.tick()
  }
  const rows = (shown: Shown): unknown[][] =>
    shown.depreciation_schedule.map((row: Shown) => [row.schedule_date, row.depreciation_amount])
  const bookings = async (): Promise<readonly Shown[]> =>
    story.all('Journal Entry', { voucher_type: 'Depreciation Entry' })

  test('what a bill brings becomes an asset with a schedule of its category', async () => {
    const supplier = (await story.create('Supplier', { supplier_name: 'Tools Ltd' })).id
    const bill = await story.make('Purchase Invoice', {
      supplier,
      posting_date: '2026-03-01',
      items: [{ item_code: 'LATHE', qty: 1, rate: 12_000 }],
    })
    const draft = await story.draftOf('Purchase Invoice', bill.id, 'make_assets')
    assert.equal(
      [draft.asset_name, draft.asset_category, draft.gross_purchase_amount, draft.purchase_date],
      ['Lathe', 'Machines', 12_000, '2026-03-01'],
    )
    lathe = draft.id
    await story.update('Asset', lathe, { calculate_depreciation: true, location: 'Hall A' })
    const shown = await story.submit('Asset', lathe)
    assert.equal(
      [shown.status, shown.value_after_depreciation, shown.fixed_asset_account],
      ['Submitted', 12_000, 'Fixed Assets'],
    )
    // In use since the first of March: twelve whole months of 1,000
    assert.is(shown.depreciation_schedule.length, 12)
    assert.equal(rows(shown).slice(0, 2), [
      ['2026-03-31', 1000],
      ['2026-04-30', 1000],
    ])
    assert.equal([shown.next_depreciation_date, shown.remaining_depreciations], ['2026-03-31', 12])
    assert.is((await story.get('Location', 'Hall A')).asset_count, 1)
  })

  test('each month is booked on its day, also those that were missed, and once', async () => {
    await until('2026-03-30')
    assert.equal(await bookings(), [])
    await until('2026-05-05')
    const booked = await bookings()
    assert.equal(
      booked.map(({ posting_date, status }) => [posting_date, status]),
      [
        ['2026-03-31', 'Submitted'],
        ['2026-04-30', 'Submitted'],
      ],
    )
    assert.equal(await story.books(booked[0]!.id), {
      Depreciation: 1000,
      'Accumulated Depreciation': -1000,
    })
    await until('2026-05-05')
    assert.is((await bookings()).length, 2)
    const shown = await asset()
    assert.equal(
      [shown.status, shown.value_after_depreciation, shown.next_depreciation_date],
      ['Partially Depreciated', 10_000, '2026-05-31'],
    )
    await refusedAsConflict(story.act('Asset', lathe, 'post_depreciation'))
  })

  test('a booking that is cancelled is made up for', async () => {
    const [, april] = await bookings()
    await story.cancel('Journal Entry', april!.id)
    assert.equal(
      [(await asset()).value_after_depreciation, (await asset()).next_depreciation_date],
      [11_000, '2026-04-30'],
    )
    await until('2026-05-06')
    const shown = await asset()
    assert.equal([shown.booked_depreciation, shown.value_after_depreciation], [2000, 10_000])
  })

  test('it is out of order until it is repaired, and what that cost is depreciated too', async () => {
    const draft = await story.create('Asset Repair', {
      asset: lathe,
      failure_date: '2026-05-08T06:00:00.000Z',
      expense_account: 'Repairs and Maintenance',
      capitalize_repair_cost: true,
      increase_in_asset_life: 1,
      repair_cost: 980,
      stock_items: [{ item_code: 'BELT', warehouse: 'Stores', consumed_quantity: 2 }],
    })
    assert.is((await asset()).status, 'Out of Order')
    await refusedFor('repair_status', 'must be Completed', story.submit('Asset Repair', draft.id))
    await until('2026-05-10')
    await story.update('Asset Repair', draft.id, {
      repair_status: 'Completed',
      completion_date: '2026-05-09T18:00:00.000Z',
      posting_date: '2026-05-10',
    })
    repair = await story.submit('Asset Repair', draft.id)
    // 980 and two belts of 10; from 06:00 to 18:00 of the next day
    assert.equal([repair.total_repair_cost, repair.downtime], [1000, 36])
    assert.equal(await story.books(repair.id), {
      'Fixed Assets': 1000,
      'Repairs and Maintenance': -1000,
    })
    const [issue] = await story.all('Stock Entry', { stock_entry_type: 'Material Issue' })
    assert.equal(await story.books(issue!.id), {
      'Stock In Hand': -20,
      'Repairs and Maintenance': 20,
    })
    const shown = await asset()
    assert.equal(
      [shown.status, shown.total_asset_cost, shown.value_after_depreciation],
      ['Partially Depreciated', 13_000, 11_000],
    )
    // 10,000 + 1,000 over the ten months that were left and one more
    assert.equal([rows(shown).length, shown.remaining_depreciations], [11, 11])
    assert.equal(
      [rows(shown)[0], rows(shown)[10]],
      [
        ['2026-05-31', 1000],
        ['2027-03-31', 1000],
      ],
    )
  })

  test('a repair that is cancelled leaves the asset as it was', async () => {
    await story.cancel('Asset Repair', repair.id)
    const shown = await asset()
    assert.equal(
      [shown.total_asset_cost, shown.value_after_depreciation, shown.remaining_depreciations],
      [12_000, 10_000, 10],
    )
    assert.equal([rows(shown).length, shown.next_depreciation_date], [12, '2026-05-31'])
    assert.is((await story.get('Bin', 'BELT::Stores')).actual_qty, 5)
    assert.equal(await story.books(repair.id), {})
  })

  test('it is written down to what it is worth, and less is depreciated from then on', async () => {
    const adjustment = await story.make('Asset Value Adjustment', {
      asset: lathe,
      date: '2026-05-10',
      new_asset_value: 5000,
    })
    assert.equal([adjustment.current_asset_value, adjustment.difference_amount], [10_000, -5000])
    assert.equal(await story.books(adjustment.id), {
      Depreciation: 5000,
      'Accumulated Depreciation': -5000,
    })
    const shown = await asset()
    assert.equal([shown.value_after_depreciation, rows(shown)[0]], [5000, ['2026-05-31', 500]])
    await until('2026-06-01')
    assert.is((await asset()).value_after_depreciation, 4500)
    // What has been booked since goes by the new value
    await story.cancel('Asset Value Adjustment', adjustment.id)
    assert.is((await asset()).value_after_depreciation, 9500)
    assert.equal(await story.differences(), [])
  })

  test('it goes to another hall, to somebody and back', async () => {
    const employee = (await story.create('Employee', { first_name: 'Ada', last_name: 'Turner' })).id
    const move = (purpose: string, row: object): Promise<Shown> =>
      story.make('Asset Movement', { purpose, assets: [{ asset: lathe, ...row }] })
    const place = async (): Promise<unknown[]> => {
      const { location, custodian } = await asset()
      return [location, custodian]
    }
    const transfer = await move('Transfer', { target_location: 'Hall B' })
    assert.is(transfer.assets[0].source_location, 'Hall A')
    assert.equal(await place(), ['Hall B', null])
    await refusedFor(
      'assets',
      'at that location already',
      move('Transfer', { target_location: 'Hall B' }),
    )
    await refusedFor('assets', 'needs the employee', move('Issue', {}))
    const issue = await move('Issue', { to_employee: employee })
    assert.equal(await place(), ['Hall B', employee])
    const back = await move('Receipt', { target_location: 'Hall A' })
    assert.equal(await place(), ['Hall A', null])
    await refusedAsConflict(story.cancel('Asset Movement', transfer.id))
    for (const { id } of [back, issue, transfer]) await story.cancel('Asset Movement', id)
    assert.equal(await place(), ['Hall A', null])
    assert.ok((await story.events(lathe)).includes('moved'))
    assert.equal(await story.differences(), [])
  })
})
