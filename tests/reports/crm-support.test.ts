import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, type Shown, type Story } from '../stories/story.ts'
import { type Asked, reportsOf, rowsOf } from './report-of.ts'

forEachDatabaseWhenDeep('reports of leads, deals and issues', ({ test, fresh }) => {
  let story: Story
  let report: Asked
  let whale: string

  test.before(async () => {
    story = await openStory(await fresh())
    report = reportsOf(story)
    whale = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
  })
  test.after(() => story.close())

  const at = (moment: string): void => {
    story.clock.time = Date.parse(`2026-${moment}:00.000Z`)
  }

  test('deals by stage, what they may bring, and how many were won', async () => {
    await story.create('Opportunity Lost Reason', { lost_reason: 'Too dear' })
    await story.create('Opportunity Lost Reason', { lost_reason: 'Too late' })
    const deal = (opportunity_amount: number, probability: number, more: object = {}) =>
      story.create('Opportunity', {
        customer: whale,
        opportunity_owner: 'ann@acme.example',
        transaction_date: '2026-02-10',
        sales_stage: 'Prospecting',
        opportunity_amount,
        probability,
        ...more,
      })
    await deal(1000, 30)
    await deal(500, 50, { opportunity_owner: 'bob@acme.example' })
    const won = await deal(800, 10, { sales_stage: 'Proposal' })
    await story.act('Opportunity', won.id, 'win')
    const lose = async (id: string, ...reasons: readonly string[]): Promise<unknown> =>
      story.update('Opportunity', id, {
        status: 'Lost',
        lost_reason: 'They bought elsewhere',
        lost_reasons: reasons.map((lost_reason) => ({ lost_reason })),
      })
    const dear = await deal(300, 20, { sales_stage: 'Proposal', transaction_date: '2026-03-01' })
    await lose(dear.id, 'Too dear', 'Too late')
    const silent = await deal(200, 20, { sales_stage: 'Proposal' })
    await lose(silent.id)
    await deal(9999, 20, { transaction_date: '2025-01-01' })

    const columns = ['heading', 'opportunities', 'open', 'won', 'lost', 'amount', 'open_amount']
    columns.push('weighted_amount', 'won_amount', 'win_rate')
    const found = await report('sales-pipeline')
    // 30 % of 1,000 and 50 % of 500; one of the three that are decided is won
    assert.equal(rowsOf(found, columns), [
      ['Prospecting', 2, 2, 0, 0, 1500, 1500, 550, 0, 0],
      ['Proposal', 3, 0, 1, 2, 1300, 0, 0, 800, 33.3],
    ])
    assert.equal(found.totals, { opportunities: 5, open: 2, won: 1, lost: 2 })
    const pipeline = async (more: Readonly<Record<string, string>>): Promise<unknown[][]> =>
      rowsOf(await report('sales-pipeline', more), ['heading', 'opportunities'])
    assert.equal(await pipeline({ group_by: 'Owner', sales_stage: 'Prospecting' }), [
      ['ann@acme.example', 1],
      ['bob@acme.example', 1],
    ])
    const bob = { opportunity_owner: 'bob@acme.example' }
    assert.equal(await pipeline({ group_by: 'Status', ...bob }), [['Open', 1]])
    assert.equal(await pipeline({ from_date: '2026-03-01' }), [['Proposal', 1]])

    const lost = async (more: Readonly<Record<string, string>>): Promise<unknown[][]> =>
      rowsOf(await report('lost-opportunity', more), ['lost_reason', 'opportunity', 'amount'])
    // What was lost for no reason of the list is told too.
    assert.equal(await lost({}), [
      [null, silent.id, 200],
      ['Too dear', dear.id, 300],
      ['Too late', dear.id, 300],
    ])
    assert.equal(await lost({ lost_reason: 'Too late' }), [['Too late', dear.id, 300]])
    assert.equal(await lost({ to_date: '2026-02-28' }), [[null, silent.id, 200]])
  })

  test('leads with what became of them', async () => {
    await story.create('Territory', { territory_name: 'World' })
    await story.create('Territory', { territory_name: 'North', parent_territory: 'World' })
    at('02-20T12:00')
    const owner = { lead_owner: 'ann@acme.example', source: 'Referral' }
    const ann = await story.create('Lead', { lead_name: 'Ann', territory: 'North', ...owner })
    await story.act('Lead', ann.id, 'convert', { create_opportunity: false })
    at('03-09T12:00')
    const bob = await story.create('Lead', { lead_name: 'Bob' })
    const columns = ['lead', 'lead_name', 'status', 'source', 'day', 'age']
    const rows = rowsOf(await report('lead-details'), columns)
    // 20 February is 17 days ago.
    assert.equal(rows, [
      [bob.id, 'Bob', 'Open', null, '2026-03-09', 0],
      [ann.id, 'Ann', 'Converted', 'Referral', '2026-02-20', 17],
    ])
    const some = async (more: Readonly<Record<string, string>>): Promise<unknown> =>
      rowsOf(await report('lead-details', more), ['lead_name']).flat()
    assert.equal(await some({ territory: 'World' }), ['Ann'])
    assert.equal(await some({ status: 'Open' }), ['Bob'])
    assert.equal(await some({ lead_owner: 'ann@acme.example' }), ['Ann'])
    assert.equal(await some({ to_date: '2026-03-08' }), ['Ann'])
  })

  test('issues by priority, and how fast they were answered', async () => {
    const open = (priority: string, more: object = {}): Promise<Shown> =>
      story.create('Issue', { subject: 'Chair wobbles', customer: whale, priority, ...more })
    const move = (id: string, status: string): Promise<Shown> =>
      story.update('Issue', id, { status })
    at('03-02T08:00')
    const first = await open('High')
    const second = await open('High', { customer: null })
    at('03-02T10:00')
    await move(first.id, 'Replied')
    at('03-02T12:00')
    await move(second.id, 'Resolved')
    at('03-03T08:00')
    await open('High')
    const low = await open('Low', { assigned_to: 'ann@acme.example' })
    at('03-09T12:00')
    await move(low.id, 'On Hold')

    const columns = ['heading', 'issues', 'open', 'replied', 'on_hold', 'resolved']
    columns.push('average_response', 'average_resolution')
    const found = await report('issue-summary')
    // 2 and 4 hours until an answer; solved after 4
    assert.equal(rowsOf(found, columns), [
      ['High', 3, 1, 1, 0, 1, 3, 4],
      ['Low', 1, 0, 0, 1, 0, 0, 0],
    ])
    assert.is(found.totals?.issues, 4)
    const grouped = async (more: Readonly<Record<string, string>>): Promise<unknown[][]> =>
      rowsOf(await report('issue-summary', more), ['heading', 'issues'])
    assert.equal(await grouped({ group_by: 'Customer', customer: whale }), [[whale, 3]])
    assert.equal(
      await grouped({ group_by: 'Assignee', from_date: '2026-03-03', customer: whale }),
      [
        [null, 1],
        ['ann@acme.example', 1],
      ],
    )
    assert.equal(await grouped({ to_date: '2026-03-01' }), [])

    const days = await report('first-response-time-for-issues')
    assert.equal(rowsOf(days, ['opening_date', 'issues', 'responded', 'average_response']), [
      ['2026-03-02', 2, 2, 3],
      ['2026-03-03', 2, 0, 0],
    ])
    assert.equal(days.totals, { issues: 4, responded: 2 })
    assert.equal(await story.differences(), [])
  })
})
