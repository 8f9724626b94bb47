import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('cost centers', ({ test, fresh }) => {
  let story: Story

  test.before(async () => {
    story = await openStory(await fresh())
    for (const cost_center_name of ['Rooms', 'Shop', 'Works'])
      await story.create('Cost Center', { cost_center_name })
  })
  test.after(() => story.close())

  const rent = (amount: number, more: object = {}, day = '2026-03-09'): Promise<Shown> =>
    story.make('Journal Entry', {
      posting_date: day,
      accounts: [
        { account: 'Rent', debit: amount, cost_center: 'Rooms', ...more },
        { account: 'Bank', credit: amount, cost_center: 'Rooms' },
      ],
    })
  const costs = async (voucher_no: string) =>
    (await story.all('GL Entry', { voucher_no })).map((row) => [
      row.account,
      row.cost_center,
      row.debit - row.credit,
    ])

  test('are shared out by percentages from a day on, to the cent', async () => {
    const shares = (...parts: readonly (readonly [string, number])[]) => ({
      main_cost_center: 'Rooms',
      valid_from: '2026-03-01',
      allocation_percentages: parts.map(([cost_center, percentage]) => ({
        cost_center,
        percentage,
      })),
    })
    const make = (...parts: readonly (readonly [string, number])[]) =>
      story.make('Cost Center Allocation', shares(...parts))
    await refusedFor('allocation_percentages', 'come to 90 %', make(['Shop', 60], ['Works', 30]))
    await refusedFor(
      'allocation_percentages[0].cost_center',
      'must be another cost center',
      make(['Rooms', 100]),
    )
    const { id } = await make(['Shop', 33.3333], ['Works', 66.6667])
    await refusedAsConflict(make(['Works', 100]))
    // 100.01 × 33.3333 % = 33.34 (33.3366…), and the rest 66.67; the bank is no cost and stays whole.
    const entry = await rent(100.01)
    assert.equal(await costs(entry.id), [
      ['Rent', 'Shop', 33.34],
      ['Rent', 'Works', 66.67],
      ['Bank', 'Rooms', -100.01],
    ])
    assert.equal(await costs((await rent(50, {}, '2026-02-28')).id), [
      ['Rent', 'Rooms', 50],
      ['Bank', 'Rooms', -50],
    ])
    await refusedFor(
      'allocation_percentages[0].cost_center',
      'Rooms is shared out itself',
      story.create('Cost Center Allocation', {
        main_cost_center: 'Main',
        allocation_percentages: [{ cost_center: 'Rooms', percentage: 100 }],
      }),
    )
    await story.cancel('Journal Entry', entry.id)
    assert.equal(await story.books(entry.id), {})
    await story.cancel('Cost Center Allocation', id)
    assert.equal((await costs((await rent(10)).id))[0], ['Rent', 'Rooms', 10])
  })

  test('and projects are asked for where the company wants them', async () => {
    const { id } = await story.create('Accounting Dimension', {
      document_type: 'Project',
      dimension_defaults: [{ company: 'Acme Inc', mandatory_for_pl: true }],
    })
    await refusedFor('project', 'is needed on Rent', rent(20))
    const { id: project } = await story.create('Project', { project_name: 'Fair' })
    const entry = await rent(20, { project })
    await story.update('Accounting Dimension', id, { disabled: true })
    await rent(30)
    await story.update('Accounting Dimension', id, { disabled: false })
    // What was posted is taken back whatever is asked for now.
    await story.cancel('Journal Entry', entry.id)
    assert.equal(await story.differences(), [])
  })
})
