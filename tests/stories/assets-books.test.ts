import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

/** A mill that the tax office depreciates in another way than the company, and by hand a third time. */
forEachDatabaseWhenDeep('assets with several finance books', ({ test, fresh }) => {
  let story: Story
  let mill: Shown

  const books = [
    { total_number_of_depreciations: 12, frequency_of_depreciation: 1 },
    { finance_book: 'Tax', total_number_of_depreciations: 4, frequency_of_depreciation: 3 },
    {
      finance_book: 'Bank',
      depreciation_method: 'Manual',
      total_number_of_depreciations: 2,
      frequency_of_depreciation: 6,
    },
  ]
  const body = {
    asset_name: 'Mill',
    purchase_date: '2026-01-01',
    gross_purchase_amount: 12_000,
    calculate_depreciation: true,
    finance_books: books,
    manual_depreciations: [
      { schedule_date: '2026-04-15', depreciation_amount: 11_500, finance_book: 'Bank' },
      { schedule_date: '2026-06-30', depreciation_amount: 500, finance_book: 'Bank' },
    ],
  }

  test.before(async () => {
    story = await openStory(await fresh())
    for (const finance_book_name of ['Tax', 'Bank'])
      await story.create('Finance Book', { finance_book_name })
    mill = await story.make('Asset', body)
  })
  test.after(() => story.close())

  const until = async (day: string): Promise<void> => {
    story.clock.time = Date.parse(`${day}T08:00:00.000Z`)
    await story.tick()
    mill = await story.get('Asset', mill.id)
  }
  const values = (): unknown => mill.finance_books.map((row: Shown) => row.value_after_depreciation)

  test('has a schedule for each, and no book twice', async () => {
    // 12 × 1,000 by the month, 4 × 3,000 by the quarter, and what was said by hand
    const of = (finance_book_idx: number): unknown[] =>
      mill.depreciation_schedule
        .filter((row: Shown) => row.finance_book_idx === finance_book_idx)
        .map((row: Shown) => [row.schedule_date, row.depreciation_amount])
    assert.equal([of(1).length, of(1)[1]], [12, ['2026-02-28', 1000]])
    assert.equal(of(2), [
      ['2026-03-31', 3000],
      ['2026-06-30', 3000],
      ['2026-09-30', 3000],
      ['2026-12-31', 3000],
    ])
    assert.equal(of(3), [
      ['2026-04-15', 11_500],
      ['2026-06-30', 500],
    ])
    const twice = { ...body, finance_books: [books[1], books[1]], manual_depreciations: [] }
    await refusedFor('finance_books[1].finance_book', 'of its own', story.create('Asset', twice))
  })

  test('is booked by the first, and worth something else by each', async () => {
    await until('2026-05-20')
    // Four months; a quarter; the first by hand
    assert.equal(values(), [8000, 9000, 500])
    assert.equal([mill.value_after_depreciation, mill.status], [8000, 'Partially Depreciated'])
    const entries = await story.all('Journal Entry', { voucher_type: 'Depreciation Entry' })
    assert.equal(await story.books(...entries.map(({ id }) => id)), {
      Depreciation: 4000,
      'Accumulated Depreciation': -4000,
    })
    // Written down to 4,000: eight months of 500 by the first book, the others as before
    await story.make('Asset Value Adjustment', { asset: mill.id, new_asset_value: 4000 })
    await until('2026-07-01')
    assert.equal(values(), [3000, 6000, 0])
  })

  test('is in maintenance from one day to another', async () => {
    mill = await story.act('Asset', mill.id, 'start_maintenance')
    assert.equal([mill.status, mill.maintenance_since], ['In Maintenance', '2026-07-01'])
    await refusedAsConflict(story.act('Asset', mill.id, 'start_maintenance'))
    mill = await story.act('Asset', mill.id, 'end_maintenance')
    assert.is(mill.status, 'Partially Depreciated')
  })

  test('is worth nothing by any once it is scrapped, and what it was when it is restored', async () => {
    await story.act('Asset', mill.id, 'scrap')
    await until('2026-07-02')
    assert.equal([mill.status, values()], ['Scrapped', [0, 0, 0]])
    await story.act('Asset', mill.id, 'restore')
    await until('2027-01-02')
    assert.equal([mill.status, values()], ['Fully Depreciated', [0, 0, 0]])
    assert.equal(await story.differences(), [])
  })
})
